using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs outside of a circular recording's interval. This is by design, so it is not a warning.</summary>
public sealed class RunsOutsideRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        var (before, after) = result.RunsOutside;
        if (before > 0)
            yield return Outside(
                "runs-before",
                "before",
                before,
                $"{Runs(before)} before the kept interval and {(before == 1 ? "is" : "are")} in no table",
                "a larger SIZE of --mode circular or --max-size keeps more"
            );
        if (after > 0)
            yield return Outside(
                "runs-after",
                "after",
                after,
                $"{Runs(after)} after the kept interval: the snapshot was requested before them",
                "take a later snapshot, while they still fit"
            );

        Finding Outside(string code, string where, int count, string text, string advice) =>
            new(FindingKind.Hint, code, $"{text}; {advice}")
            {
                Advice = advice,
                Evidence =
                [
                    new FindingEvidence($"runs {where} the kept interval", count, ""),
                    new FindingEvidence("runs in the kept interval", result.Runs.Count, ""),
                ],
            };
    }

    private static string Runs(int count) => $"{Plural.Of(count, "run")} {Plural.Either(count, "lies", "lie")}";
}
