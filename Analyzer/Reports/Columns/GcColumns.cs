using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the tables of GCs. docs/metrics.md defines each column; a test compares both.</summary>
public static class GcColumns
{
    /// <summary>Columns of the GCs.</summary>
    public static IReadOnlyList<Column<GcRow>> All { get; } =
    [
        new("processId", "Process", row => row.ProcessId, "0"),
        new("number", "No", row => row.Number, "0"),
        new("generation", "Gen", row => row.Generation, "0"),
        new("reason", "Reason", row => row.Reason.ToString()),
        new("induced", null, row => row.IsInduced),
        new("gcKind", "Kind", row => row.Kind.ToString()),
        new("startMs", "Start ms", row => row.StartMs, "0.000"),
        new("pauseMs", "Pause ms", row => row.PauseMs, "0.000"),
        new("pauseInRunsMs", "In runs ms", row => row.PauseInRunsMs, "0.000"),
        new("heapBytesBefore", "Before MB", row => (double?)row.BytesBefore, "0.000") { Scale = 1e6 },
        new("heapBytesAfter", "After MB", row => (double?)row.BytesAfter, "0.000") { Scale = 1e6 },
        new("promotedBytes", "Promoted MB", row => (double?)row.PromotedBytes, "0.000") { Scale = 1e6 },
        new("runId", "Run", row => row.Run?.RunId, "0") { Absent = _ => Column<GcRow>.NotApplicable },
        .. RunsColumns
            .Of<GcRow>(row => row.Run is { } run ? SummaryKey.Of(run) : null)
            .Select(column =>
                column.Key == "runtime" ? RunsColumns.Runtime<GcRow>(row => row.Runtime, row => row.Runtime.Length > 0) : column
            ),
    ];

    /// <summary>Columns of overlapping pauses.</summary>
    public static IReadOnlyList<Column<PauseOverlap>> Overlaps { get; } =
    [
        RunsColumns.Runtime<PauseOverlap>(overlap => overlap.Recording, overlap => overlap.Recording.Length > 0),
        new("startMs", "Start ms", overlap => overlap.StartMs, "0.000"),
        new("startTicks", null, overlap => overlap.StartTicks, "0"),
        new("stopTicks", null, overlap => overlap.StopTicks, "0"),
        new("overlapMs", "Overlap ms", overlap => overlap.Ms, "0.000"),
        new("maxProcesses", "At once", overlap => overlap.MaxProcesses, "0"),
        new("processIds", "Processes", overlap => string.Join(' ', overlap.Processes)),
    ];
}
