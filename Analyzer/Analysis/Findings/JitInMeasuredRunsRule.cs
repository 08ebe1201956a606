namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Measured rows with compilation worth more than a twentieth of their wall time.</summary>
public sealed class JitInMeasuredRunsRule : IFindingRule
{
    private const double LargestShare = 0.05;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(AnalysisResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Rows.Where(row => row.AllRuns[0].Delimiter != Runs.DelimiterKind.WholeProcess && row.JitMs > row.WallTotalMs * LargestShare).Select(row => new Finding(
            FindingKind.Hint, "jit",
            FormattableString.Invariant($"{row.Key}: {row.JitMs:0.0} ms of JIT compilation ({row.JitMethods} methods, all threads) in {row.WallTotalMs:0.0} ms of measured runs; the warm-up is too short")));
    }
}
