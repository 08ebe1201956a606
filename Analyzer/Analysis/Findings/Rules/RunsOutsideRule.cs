using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

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
            yield return Outside("runs-before", "before", before, $"{Runs(before)} before the kept interval and {(before == 1 ? "is" : "are")} in no table", "a larger --mode circular:SIZE keeps more");
        if (after > 0)
            yield return Outside("runs-after", "behind", after, $"{Runs(after)} behind the kept interval: the snapshot was asked for before", "a later snapshot holds them, as long as they still fit");

        Finding Outside(string code, string where, int count, string text, string advice) => new(FindingKind.Hint, code, $"{text}; {advice}")
        {
            Advice = advice,
            Evidence = [new FindingFigure($"runs {where} the kept interval", count, ""), new FindingFigure("runs in it", result.Runs.Count, "")],
        };
    }

    private static string Runs(int count) => $"{Plural.Of(count, "run")} {Plural.Either(count, "lies", "lie")}";
}
