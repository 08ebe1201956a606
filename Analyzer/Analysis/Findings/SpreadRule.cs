namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Rows whose runs differ by more than a fifth of their median.</summary>
public sealed class SpreadRule : IFindingRule
{
    private const double LargestPercent = 20;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Rows.Where(row => row.SpreadPercent > LargestPercent).Select(row => new Finding(
            FindingKind.Hint, "spread", FormattableString.Invariant($"{row.Key}: noisy, the runs spread by {row.SpreadPercent:0} % of their median; make more runs")));
    }
}
