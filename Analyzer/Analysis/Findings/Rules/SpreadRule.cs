using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows whose runs vary: the middle half of them lies more than a tenth of the median apart. A single outlier is no noise.</summary>
public sealed class SpreadRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "spread",
            "noisy runs (distance of the quartiles over 10 % of the median)",
            result.Rows.Where(RowTrust.IsSpread),
            row => 100 * row.WallIqrMs / row.WallMedianMs,
            row => $"{row.WallIqrMs / row.WallMedianMs * 100:0} %",
            "make more runs on a quieter machine");
    }
}
