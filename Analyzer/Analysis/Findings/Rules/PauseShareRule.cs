namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// Rows with more than a fifth of their time in GC pauses. <see cref="InducedGcRule"/> handles those that induce most of their GCs.
/// </summary>
public sealed class PauseShareRule : IFindingRule
{
    internal const double MaxPercent = 20;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "gc-pause",
            "GC pauses take over 20 % of the time",
            result.Rows.Where(row => row.PausePercent > MaxPercent && !InducedGcRule.IsInduced(input, row)),
            row => row.PausePercent,
            row =>
                $"{string.Join(", ", ListedFinding.Allocates(input, row.Key).Prepend(FormattableString.Invariant($"{row.PausePercent:0} %")))}",
            input.Allocations is null
                ? "record allocations (esp-record --alloc), and check what survives (esp-analyze gc FOLDER)"
                : "allocate less there, or keep less alive; esp-analyze alloc FOLDER --by stack shows the callers",
            worst: run => run.PausePercent,
            costMs: row => row.PauseTotalMs
        );
    }
}
