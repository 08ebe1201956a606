using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>The reader returns the same as TraceEvent's own readers.</summary>
public sealed class NetTraceReaderTests
{
    /// <summary>TraceEvent assigns its own ids to events of this id, one for each name in the payload.</summary>
    private const int GcDynamicEvent = 39;

    // TraceEvent shows processor 0 for an unknown one (-1).

    public static TheoryData<string> Files =>
        [
            "net10/alloc.nettrace",
            "net10/clr.nettrace",
            "net10/code.nettrace",
            "unmarked/program.nettrace",
            "others/dotnet-trace.nettrace",
            "others/record-trace.nettrace",
        ];

    [Theory]
    [MemberData(nameof(Files))]
    public void Each_event_is_TraceEvents(string name)
    {
        var path = TestFiles.Data(name);
        var (ours, lost) = Ours(path);
        var theirs = Theirs(path, out var theirLost);

        Assert.Equal(ours.Select(item => item.Time).Order(), ours.Select(item => item.Time));
        Assert.Equal(theirs.Count, ours.Count);
        Assert.Equal(theirLost, lost);
        Assert.Equal(Sorted(theirs), Sorted(ours));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Each_stack_is_TraceLogs(string name)
    {
        using var folder = new TempFolder();
        using var log = TraceLog.OpenOrConvert(
            TraceLog.CreateFromEventPipeDataFile(TestFiles.Data(name), Path.Combine(folder.Path, "x.etlx"))
        );
        var theirs = new List<(long, int, string)>();
        foreach (var data in log.Events)
        {
            var frames = new List<ulong>();
            for (var at = data.CallStack(); at is not null; at = at.Caller)
                frames.Add(at.CodeAddress.Address);
            if (frames.Count > 0)
                theirs.Add((TimeOf(data), data.ThreadID, string.Join(' ', frames)));
        }

        var ours = new List<(long, int, string)>();
        using var reader = new NetTraceReader(NetTraceLayout.Scan(TestFiles.Data(name)));
        while (reader.TryRead(out var item))
        {
            if (!item.Stack.IsEmpty)
                ours.Add((item.Time, item.ThreadId, string.Join(' ', item.Stack.ToArray())));
        }

        Assert.NotEmpty(theirs);
        Assert.Equal(theirs.Order(), ours.Order());
    }

    private static IEnumerable<Item> Sorted(IEnumerable<Item> items) =>
        items
            .OrderBy(item => item.Time)
            .ThenBy(item => item.Thread)
            .ThenBy(item => item.Provider)
            .ThenBy(item => item.Id)
            .ThenBy(item => item.Payload, StringComparer.Ordinal);

    private static (List<Item> Items, long Lost) Ours(string path)
    {
        var items = new List<Item>();
        using var reader = new NetTraceReader(NetTraceLayout.Scan(path));
        while (reader.TryRead(out var item))
        {
            var type = item.Type;
            items.Add(
                new Item(
                    item.Time,
                    item.ProcessId,
                    item.ThreadId,
                    Math.Max(item.Processor, 0),
                    type.Provider,
                    type.EventId,
                    type.Version,
                    type.Level,
                    type.Keywords,
                    item.ActivityId,
                    item.RelatedActivityId,
                    Convert.ToHexString(item.Payload)
                )
            );
        }

        Assert.Null(reader.Damage);
        return (items, reader.LostEvents);
    }

    private static List<Item> Theirs(string path, out int lost)
    {
        var items = new List<Item>();
        using var source = new EventPipeEventSource(path);
        source.AllEvents += data =>
            items.Add(
                new Item(
                    TimeOf(data),
                    data.ProcessID,
                    data.ThreadID,
                    data.ProcessorNumber,
                    data.ProviderGuid,
                    data.EventName.Contains("GC/Dynamic", StringComparison.Ordinal) ? GcDynamicEvent : (int)data.ID,
                    data.Version,
                    (int)data.Level,
                    (long)data.Keywords,
                    data.ActivityID,
                    data.RelatedActivityID,
                    Convert.ToHexString(data.EventData())
                )
            );
        source.Process();
        lost = source.EventsLost;
        return items;
    }

#pragma warning disable CS0618 // "Discouraged": it is the only exact time
    private static long TimeOf(Microsoft.Diagnostics.Tracing.TraceEvent data) => data.TimeStampQPC;
#pragma warning restore CS0618

    private sealed record Item(
        long Time,
        int Process,
        int Thread,
        int Processor,
        Guid Provider,
        int Id,
        int Version,
        int Level,
        long Keywords,
        Guid Activity,
        Guid RelatedActivity,
        string Payload
    );
}
