namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Rows that spend more than a fifth of their time in GC pauses.</summary>
public sealed class PauseShareRule : IFindingRule
{
    private const double LargestPercent = 20;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Rows.Where(row => row.PausePercent > LargestPercent).Select(row => new Finding(
            FindingKind.Hint, "gc-pause", FormattableString.Invariant($"{row.Key}: GC pauses take {row.PausePercent:0} % of the time; look at what it allocates")));
    }
}
