using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows with runs so short that the delimiter's error, as measured in this trace, exceeds a twentieth.</summary>
public sealed class ShortRunsRule : IFindingRule
{
    private const double MaxShare = 0.05;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "short-runs",
            "short runs: their delimiter's error exceeds 5 %",
            result.Rows.Where(row => ErrorShare(row) > MaxShare),
            row => 100 * ErrorShare(row),
            row => $"{ErrorShare(row) * 100:0} % of {row.WallMedianMs:0.000} ms",
            "use more objects, or compare with the program's own clock (esp-analyze runs)"
        );
    }

    /// <summary>Median of the differences from the program's clock / median of the wall times; null when the clock is unknown.</summary>
    private static double? ErrorShare(SummaryRow row) =>
        Statistics.Median([.. row.AllRuns.Select(run => run.DurationDifferenceUs).OfType<double>().Select(Math.Abs)])
        / 1e3
        / row.WallMedianMs;
}
