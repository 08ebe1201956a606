using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>The lines between a worker and its coordinator.</summary>
public sealed class ExtractWorkerTests : IDisposable
{
    private readonly TraceFolder _folder = new();

    [Fact]
    public void Each_task_has_an_answer_and_the_end_of_the_input_ends_the_worker()
    {
        var unit = new TraceUnit(_folder.AddNetTrace("t ü.nettrace"), TraceFormat.NetTrace);
        var missing = new TraceUnit(_folder.Path("no.etl"), TraceFormat.Etl);
        var content = TraceContent.Read(unit);

        var (replies, ends) = Work(new WorkerTask(1, unit, null), new WorkerTask(2, missing, null), new WorkerTask(1, unit, content));

        Assert.Equal(
            [WorkerReplyKind.Ready, WorkerReplyKind.Hashed, WorkerReplyKind.Hashed, WorkerReplyKind.Stored],
            replies.Select(reply => reply.Kind)
        );
        Assert.Equal(content, replies[1].Content);
        Assert.Null(replies[2].Content);
        Assert.StartsWith(missing.Path, replies[2].Error, StringComparison.Ordinal);
        Assert.Equal((1, ""), (replies[3].Number, replies[3].Error));
        Assert.True(replies[3].Rows > 3);
        Assert.Equal(1, ends);
        Assert.Equal(unit.Path, Assert.Single(_folder.Stored("w.db")).Name);
    }

    [Fact]
    public void A_store_that_cannot_be_used_is_reported_before_anything_is_read()
    {
        Directory.CreateDirectory(_folder.Store("w.db").Place);

        var (replies, _) = Work(new WorkerTask(1, new TraceUnit(_folder.AddNetTrace("t.nettrace"), TraceFormat.NetTrace), null));

        var reply = Assert.Single(replies);
        Assert.Equal(WorkerReplyKind.StoreFailed, reply.Kind);
        Assert.NotEqual("", reply.Problem!.What);
    }

    public void Dispose() => _folder.Dispose();

    private (IReadOnlyList<WorkerReply> Replies, int Ends) Work(params WorkerTask[] tasks)
    {
        var lines = tasks
            .Select(WorkerJson.Write)
            .Prepend(WorkerJson.Write(new WorkerSetup(_folder.Store("w.db").ToString(), new ExtractOptions())))
            .ToList();
        Assert.All(lines, line => Assert.True(line.All(char.IsAscii), line));
        using var output = new StringWriter();
        var ends = 0;
        new ExtractWorker(new StringReader(string.Join('\n', lines)), output, () => ends++).Run();
        return (
            [
                .. output
                    .ToString()
                    .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                    .Select(WorkerJson.Read<WorkerReply>)
                    .Where(reply => reply.Kind != WorkerReplyKind.Progress),
            ],
            ends
        );
    }
}
