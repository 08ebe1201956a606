namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows that spend more than a fifth of their time in GC pauses. Those that ask for most of their GCs are <see cref="InducedGcRule"/>'s.</summary>
public sealed class PauseShareRule : IFindingRule
{
    internal const double LargestPercent = 20;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return RowFinding.Hint(
            "gc-pause",
            "GC pauses take over 20 % of the time",
            result.Rows.Where(row => row.PausePercent > LargestPercent && !InducedGcRule.IsInduced(input, row)),
            row => row.PausePercent,
            row => $"{string.Join(", ", ListedFinding.Allocates(input, row.Key).Prepend(FormattableString.Invariant($"{row.PausePercent:0} %")))}",
            input.Allocations is null ? "record what is allocated (esp-record --alloc), and look at what survives (esp-analyze gc FOLDER)" : "allocate less there, or keep less alive; esp-analyze alloc FOLDER --by stack shows the callers",
            worst: run => run.PausePercent,
            costMs: row => row.PauseTotalMs);
    }
}
