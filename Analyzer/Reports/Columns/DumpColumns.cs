using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of dumps taken during the recording. docs/metrics.md defines each column; a test compares both.</summary>
public static class DumpColumns
{
    /// <summary>All columns; text output shows those with a header.</summary>
    public static IReadOnlyList<Column<DumpRow>> All { get; } =
    [
        new("recording", "Recording", row => row.Label.Length > 0 ? row.Label : null)
        {
            ShownWith = row => row.Label.Length > 0,
            Absent = _ => Column<DumpRow>.NotApplicable,
        },
        new("file", "Dump", row => row.Dump.File),
        new("trigger", "Taken at", row => row.Dump.Trigger),
        new("kind", "Content", row => row.Dump.Kind),
        new("processId", null, row => row.Dump.ProcessId, "0"),
        new("threadId", null, row => row.Dump.ThreadId, "0"),
        new("managedThreadId", null, row => row.Dump.ManagedThreadId, "0"),
        new("exceptionType", "Exception", row => OrNull(row.Dump.ExceptionType)) { Absent = _ => Column<DumpRow>.NotApplicable },
        new("message", "Message", row => OrNull(row.Dump.Message)) { Absent = _ => Column<DumpRow>.NotApplicable },
        new("throwNumber", null, row => row.Dump.ThrowNumber, "0"),
        new("inRun", "In run", row => row.Run is { } run ? $"{run.RunId}: {SummaryKey.Of(run)}" : null) { Absent = _ => "none" },
        new("dumpBytes", "Size MB", row => (double)row.Dump.Bytes, "0.0") { Scale = 1e6 },
        new("stoodStillMs", "Paused ms", row => row.Dump.PauseMs, "0.0"),
        new("threadHeld", "Thread", row => row.Dump.Held ? "held" : "running"),
        new("momentTicks", null, row => row.Dump.MomentTicks, "0"),
        new("note", "Note", row => OrNull(row.Dump.Note)) { ShownWith = row => row.Dump.Note.Length > 0, Absent = _ => "" },
    ];

    private static string? OrNull(string text) => text.Length > 0 ? text : null;
}
