using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the tables of waits. docs/metrics.md defines each column; a test compares both.</summary>
public static class WaitColumns
{
    /// <summary>Columns of threads and their times.</summary>
    public static IReadOnlyList<Column<ThreadTimeRow>> Threads { get; } =
    [
        .. RunsColumns.Of<ThreadTimeRow>(row => row.Runs),
        new("processId", null, row => row.Process.ProcessId, "0"),
        new("thread", "Thread", row => row.Name is { Length: > 0 } name ? name : null),
        new("threadId", "Id", row => row.ThreadId, "0"),
        new("onCpuMs", "On CPU ms", row => row.OnCpuMs, "0.0"),
        new("readyMs", "Ready ms", row => row.ReadyMs, "0.0"),
        new("ms", "Wait ms", row => row.WaitMs, "0.000"),
        new("idleMs", "Idle ms", row => row.IdleMs, "0.0"),
        new("reason", "Reason", row => row.Reason?.Name()) { Absent = _ => Column<ThreadTimeRow>.NotApplicable },
        new("mostlyIn", "Mostly in", row => row.Method is { } method ? SourceName.Of(method.Name) : null),
    ];

    /// <summary>Columns for a grouping.</summary>
    public static IReadOnlyList<Column<WaitRow>> Of(WaitGrouping grouping) =>
        [
            .. RunsColumns.Of<WaitRow>(row => row.Runs),
            .. grouping switch
            {
                WaitGrouping.Line =>
                [
                    .. LineColumns.Of<WaitRow>(row => row.Own),
                    new("method", "Waiting in", row => row.Own?.Name),
                    new("module", "Module", row => row.Own?.Module),
                ],
                WaitGrouping.Reason =>
                [
                    new("mostlyIn", "Mostly in", row => (row.Own ?? row.Method) is { } method ? SourceName.Of(method.Name) : null),
                ],
                _ => (Column<WaitRow>[])
                    [new("method", "Waiting in", row => row.Method?.Name), new("module", "Module", row => row.Method?.Module)],
            },
            new("reason", "Reason", row => row.Reason.Name()),
            new("source", "Source", row => row.Source.ToString()),
            new("threads", "Threads", row => row.Threads, "0"),
            new("count", "Count", row => row.Count, "0"),
            new("ms", "Wait ms", row => row.Ms, "0.000"),
            new("maxMs", "Max ms", row => row.MaxMs, "0.000"),
            new("readiedBy", "Readied by", row => row.ReadiedBy),
            .. grouping == WaitGrouping.Stack ? [StackColumns.Frames<WaitRow>(row => row.Stack)] : (Column<WaitRow>[])[],
        ];

    /// <summary>Title of a stack.</summary>
    public static string Title(WaitRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return string.Create(
            System.Globalization.CultureInfo.InvariantCulture,
            $"{row.Reason.Name()}, {row.Ms:0.000} ms in {Plural.Of(row.Count, "wait")} of {row.Threads} {(row.Threads == 1 ? "thread" : "threads")}"
        );
    }
}
