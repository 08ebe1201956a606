namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Runs that a circular recording does not hold: by design, so it is no warning.</summary>
public sealed class RunsOutsideRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        var (before, after) = result.RunsOutside;
        if (before > 0)
            yield return new Finding(FindingKind.Hint, "runs-before", $"{Runs(before)} before the kept interval and {(before == 1 ? "is" : "are")} in no table: a larger --mode circular:SIZE keeps more");
        if (after > 0)
            yield return new Finding(FindingKind.Hint, "runs-after", $"{Runs(after)} behind the kept interval: the snapshot was asked for before");
    }

    private static string Runs(int count) => count == 1 ? "1 run lies" : $"{count} runs lie";
}
