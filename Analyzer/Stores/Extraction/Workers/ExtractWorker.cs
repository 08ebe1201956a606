using System.Collections.Concurrent;
using EtwSerializerProfiler.Foundation.Progress;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>
/// Executes tasks one after the other: one JSON line per task on its input, JSON lines with progress and results on its output. Each trace
/// is stored in one transaction, so a worker may be killed at any time.
/// </summary>
/// <param name="input">
/// Source of the tasks, beginning with <see cref="WorkerSetup"/>. The end of the input ends the worker, even during a task.
/// </param>
/// <param name="output">Receives the replies.</param>
/// <param name="abandoned">Ends the process; called when the input ends during a task.</param>
public sealed class ExtractWorker(TextReader input, TextWriter output, Action abandoned)
{
    private static readonly TimeSpan s_betweenReplies = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// Number of passes over each byte: four for a Windows trace, three for the files of a recording. Used only for progress.
    /// </summary>
    private const int EtwPasses = 4,
        OtherPasses = 3;

    private readonly Lock _lock = new();

    /// <summary>Works until the input ends.</summary>
    public void Run()
    {
        if (input.ReadLine() is not { } first)
            return;
        var setup = WorkerJson.Read<WorkerSetup>(first);
        try
        {
            using var store = TraceStores.Open(StoreAddress.Parse(setup.Store));
            store.Prepare();
            Reply(new WorkerReply(WorkerReplyKind.Ready, 0));
            using var tasks = new BlockingCollection<WorkerTask>();
            var reader = new Thread(() => ReadTasks(tasks)) { IsBackground = true, Name = "tasks" };
            reader.Start();
            foreach (var task in tasks.GetConsumingEnumerable())
            {
                Reply(Do(task, setup.Options, store));
                Clean(task);
            }
        }
        catch (StoreException exception)
        {
            Reply(new WorkerReply(WorkerReplyKind.StoreFailed, 0) { Problem = exception.Problem, IsUsage = exception.IsUsage });
        }
    }

    private void ReadTasks(BlockingCollection<WorkerTask> tasks)
    {
        try
        {
            while (input.ReadLine() is { } line)
                tasks.Add(WorkerJson.Read<WorkerTask>(line));
        }
        catch (IOException)
        {
            // Counts as its end.
        }

        abandoned();
        tasks.CompleteAdding();
    }

    /// <summary>
    /// Frees the memory of a trace, and the files unpacked from archives, which are deleted with the objects that hold them open.
    /// </summary>
    private static void Clean(WorkerTask task)
    {
        if (task.Content is null)
            return;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive);
        GC.WaitForPendingFinalizers();
    }

    private WorkerReply Do(WorkerTask task, ExtractOptions options, ITraceStore store)
    {
        var progress = ReadProgress.Current = new ReadProgress();
        using var timer = new Timer(_ => Show(task, progress), null, s_betweenReplies, s_betweenReplies);
        return task.Content is { } content ? Extract(task, content, options, store) : Hash(task);
    }

    private static WorkerReply Hash(WorkerTask task)
    {
        var reply = new WorkerReply(WorkerReplyKind.Hashed, task.Number);
        try
        {
            return reply with { Content = TraceContent.Read(task.Unit) };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return reply with { Error = TraceExtractor.ErrorOf(exception, task.Unit.Name) };
        }
    }

    private static WorkerReply Extract(WorkerTask task, TraceContent content, ExtractOptions options, ITraceStore store)
    {
        var rows = TraceExtractor.Extract(task.Unit, content, options);
        store.Replace(rows);
        return new WorkerReply(WorkerReplyKind.Stored, task.Number) { Rows = rows.Count, Error = rows.Trace.Error };
    }

    private void Show(WorkerTask task, ReadProgress progress)
    {
        var passes = progress.Passes;
        var read = passes.Sum(pass => (double)pass.Done);
        var isEtw = task.Unit.Format == TraceFormat.Etl;
        var bytes =
            task.Content is null ? passes.Sum(pass => (double)pass.Bytes)
            : isEtw ? passes.Select(pass => (double)pass.Bytes).DefaultIfEmpty(1).Max() * EtwPasses
            : task.Content.Bytes * (double)OtherPasses;
        if (read > 0 && bytes > 0)
            Reply(new WorkerReply(WorkerReplyKind.Progress, task.Number) { Done = Math.Min(read / bytes, 1) });
    }

    private void Reply(WorkerReply reply)
    {
        lock (_lock)
        {
            output.WriteLine(WorkerJson.Write(reply));
            output.Flush();
        }
    }
}
