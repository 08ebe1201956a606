using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>result</c>, which answers most questions about many traces and is small enough to be read completely.</summary>
public static class ResultTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredResult> Table { get; } =
        new(
            "result",
            "The runs of one serializer and test of a trace: a row of 'esp-analyze table'",
            [
                .. RowKeyColumns.Of<StoredResult>(row => row.Row.Key, row => row.Row.Runtime),
                new("first_use", "1 for first calls and first warm-ups, 0 for the measured runs", row => row.IsFirstUse),
                new("library_version", "Version of the package or assembly that implements the serializer", row => row.Row.LibraryVersion),
                new("runs", "Number of runs in the row", row => row.Row.Runs),
                new("failed_runs", "Number of runs that ended with an exception", row => row.Row.FailedRuns),
                new("operations", "Number of operations in these runs", row => row.Row.Operations),
                .. MeasureColumns.OfResults([
                    .. WallMeasures.All,
                    .. DataMeasures.All,
                    .. RunMeasures.All.Except([.. WallMeasures.All, .. DataMeasures.All, .. CauseMeasures.All]),
                    .. CauseMeasures.All,
                ]),
                .. CauseCatalog.All.Select(cause => cause.Group).Distinct().Select(Group),
            ]
        );

    /// <summary>Name of a group's column: <c>reflection_ms</c>, <c>io_ms</c>.</summary>
    public static string GroupColumn(string group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return string.Concat(group.Where(char.IsLetter).Select(char.ToLowerInvariant)) + "_cause_ms";
    }

    private static StoreColumn<StoredResult> Group(string group) =>
        new(
            GroupColumn(group),
            $"Part of the CPU time with the cause {group}",
            row => row.Row.Causes is { } times ? times.ToMilliseconds(times.Group(group)) : null
        );
}

/// <summary>A row of <c>esp-analyze table</c>: the runs of one serializer and test of a trace.</summary>
/// <param name="Row">The row.</param>
/// <param name="IsFirstUse">Whether it belongs to the table of first uses.</param>
public sealed record StoredResult(SummaryRow Row, bool IsFirstUse);
