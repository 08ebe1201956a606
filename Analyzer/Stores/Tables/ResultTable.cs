using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>result</c>: what most questions over many traces are about, small enough to be read whole.</summary>
public static class ResultTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredResult> Table { get; } = new("result", "The runs of one serializer and test of a trace: a row of 'esp-analyze table'",
    [
        .. RowKeyColumns.Of<StoredResult>(row => row.Row.Key, row => row.Row.Runtime),
        new("first_use", "1 for first calls and first warm-ups, 0 for the measured runs", row => row.IsFirstUse),
        new("library_version", "Version of the package or assembly that implements the serializer", row => row.Row.LibraryVersion),
        new("runs", "Runs that make the numbers", row => row.Row.Runs),
        new("failed_runs", "Runs that ended with an exception", row => row.Row.FailedRuns),
        new("operations", "Operations of these runs", row => row.Row.Operations),
        .. MeasureColumns.OfResults([.. WallMeasures.All, .. DataMeasures.All, .. RunMeasures.All.Except([.. WallMeasures.All, .. DataMeasures.All, .. CauseMeasures.All]), .. CauseMeasures.All]),
        .. CauseCatalog.All.Select(cause => cause.Group).Distinct().Select(Group),
    ]);

    /// <summary>Name of a group's column: <c>reflection_ms</c>, <c>io_ms</c>.</summary>
    public static string GroupColumn(string group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return string.Concat(group.Where(char.IsLetter).Select(char.ToLowerInvariant)) + "_cause_ms";
    }

    private static StoreColumn<StoredResult> Group(string group) => new(GroupColumn(group), $"Of it, with the cause {group}", row => row.Row.Causes is { } times ? times.ToMilliseconds(times.Group(group)) : null);
}

/// <summary>A row of the table that <c>esp-analyze table</c> prints: the runs of one serializer and test of a trace.</summary>
/// <param name="Row">The row.</param>
/// <param name="IsFirstUse">Whether it is of the table of first uses.</param>
public sealed record StoredResult(SummaryRow Row, bool IsFirstUse);
