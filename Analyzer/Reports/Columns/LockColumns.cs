using System.Globalization;
using EtwSerializerProfiler.Analysis.Locks;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of lock waits. docs/metrics.md defines each column; a test compares both.</summary>
public static class LockColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<LockRow>> All { get; } =
    [
        .. RunsColumns.Of<LockRow>(row => row.Runs),
        new("processId", null, row => row.ProcessId, "0"),
        new("lock", "Lock", row => row.LockId is { } id ? string.Create(CultureInfo.InvariantCulture, $"0x{id:x}") : null),
        new("method", "Waiting in", row => row.Method?.Name),
        new("module", null, row => row.Method?.Module),
        new("ownerThread", "Owner", row => row.OwnerThread),
        new("ownerThreadId", "Owner id", row => row.OwnerThreadId, "0"),
        new("count", "Count", row => row.Count, "0"),
        new("ms", "Wait ms", row => row.Ms, "0.000"),
        new("maxMs", "Max ms", row => row.MaxMs, "0.000"),
    ];

    /// <summary>Columns of the waits by method or source line.</summary>
    public static IReadOnlyList<Column<LockSiteRow>> Sites(LockGrouping grouping) =>
        [
            .. RunsColumns.Of<LockSiteRow>(row => row.Runs),
            .. grouping == LockGrouping.Line ? LineColumns.Of<LockSiteRow>(row => row.Method) : [],
            new("method", "Waiting in", row => row.Method?.Name),
            new("module", null, row => row.Method?.Module),
            new("caller", "Called by", row => row.Caller?.Name) { Absent = _ => Column<LockSiteRow>.NotApplicable },
            new("primitive", "Waits for", row => row.Primitive),
            new("locks", "Locks", row => row.Locks, "0"),
            new("threads", "Threads", row => row.Threads, "0"),
            new("count", "Count", row => row.Count, "0"),
            new("ms", "Wait ms", row => row.Ms, "0.000"),
            new("waiterPercent", "Waiters %", row => row.Percent, "0.0") { Absent = _ => Column<LockSiteRow>.NotApplicable },
            new("ownerMethod", "Owner in", row => row.OwnerMethod?.Name),
            new("ownerPercent", "Owner %", row => row.OwnerPercent, "0"),
            new("maxMs", "Max ms", row => row.MaxMs, "0.000"),
        ];
}
