using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs that ended with an exception, which do not enter the table's numbers.</summary>
public sealed class FailedRunsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return result
            .Rows.Concat(result.FirstUseRows)
            .Where(row => row.FailedRuns > 0)
            .Select(row => new Finding(
                FindingKind.Warning,
                "runs-failed",
                $"{row.Key}: {row.FailedRuns} of {Plural.Of(row.AllRuns.Count, "run")} failed: {OneLine(row.AllRuns.First(run => run.Error.Length > 0).Error)}"
            )
            {
                Advice = "no number includes them; runs.csv has the full message",
                Evidence =
                [
                    new FindingEvidence($"{row.Key}: runs failed", row.FailedRuns, ""),
                    new FindingEvidence($"{row.Key}: runs", row.AllRuns.Count, ""),
                ],
                Locations = [.. row.AllRuns.Where(run => run.Error.Length > 0).Select(run => FindingLocation.Of(run))],
            });
    }

    private static string OneLine(string error) => error.ReplaceLineEndings(" ").TrimEnd('.');
}
