using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows whose runs vary: their interquartile range exceeds a tenth of the median, which ignores a single outlier.</summary>
public sealed class SpreadRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "spread",
            "noisy runs (interquartile range over 10 % of the median)",
            result.Rows.Where(RowTrust.IsSpread),
            row => 100 * row.WallIqrMs / row.WallMedianMs,
            row => $"{row.WallIqrMs / row.WallMedianMs * 100:0} %",
            "make more runs on a quieter machine"
        );
    }
}
