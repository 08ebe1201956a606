using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Measured rows with compilation worth more than a twentieth of their wall time.</summary>
public sealed class JitInMeasuredRunsRule : IFindingRule
{
    private const double LargestShare = 0.05;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "jit",
            "JIT compilation in measured runs (all threads; over 5 % of their time)",
            result.Rows.Where(row => row.AllRuns[0].Delimiter != RunDelimiter.WholeProcess && row.JitMs > row.WallTotalMs * LargestShare),
            row => 100 * row.JitMs / row.WallTotalMs,
            row => $"{row.JitMs:0.0} ms, {Plural.Of(row.JitMethods ?? 0, "method")}, in {row.WallTotalMs:0.0} ms",
            "make the warm-up longer: the median may be that of unoptimized code",
            worst: run => run.JitMs);
    }
}
