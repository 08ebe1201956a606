using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows whose measured runs began before the serializer's code was in its last tier: the suite called it for as many rounds as it may, and
/// the JIT still compiled. The runs may be of unoptimized code.
/// </summary>
public sealed class UnsettledRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return RowFinding.Hint(
            "unsettled",
            "measured before the code had reached its last tier",
            input.Result.Rows.Where(row => RowTrust.UnsettledMethods(row) is not null),
            row => RowTrust.UnsettledMethods(row),
            row => $"{RowTrust.UnsettledMethods(row)} methods in the last rounds",
            "record again while no other program uses the processors",
            unit: "methods"
        );
    }
}
