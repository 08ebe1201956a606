using EtwSerializerProfiler.Analysis.Runs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Rows whose runs are so short that the delimiter's error matters.</summary>
public sealed class ShortRunsRule : IFindingRule
{
    private const double ShortestMs = 0.1;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Rows.Where(row => row.Runs > 0 && row.WallMinMs < ShortestMs && row.AllRuns.Any(run => run.Delimiter == DelimiterKind.MarkerWait)).Select(row => new Finding(
            FindingKind.Hint, "short-runs",
            FormattableString.Invariant($"{row.Key}: the shortest run takes {row.WallMinMs * 1000:0} µs; the delimiter's typical error of 65–132 µs is significant, use more objects")));
    }
}
