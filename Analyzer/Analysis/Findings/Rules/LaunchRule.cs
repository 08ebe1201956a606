using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose processes differ more than their runs: the code was compiled from another profile, or the heap is in another state.
/// </summary>
public sealed class LaunchRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return RowFinding.Hint(
            "launches",
            "processes of one serializer differ more than their runs",
            input.Result.Rows.Where(row => RowTrust.LaunchRange(row) is not null),
            row => 100 * (RowTrust.LaunchRange(row)!.Value.Max - RowTrust.LaunchRange(row)!.Value.Min) / RowTrust.RankMs(row),
            row => $"{RowTrust.LaunchRange(row)!.Value.Min:0.00} to {RowTrust.LaunchRange(row)!.Value.Max:0.00} ms",
            "compare medians of more processes (-launches)"
        );
    }
}
