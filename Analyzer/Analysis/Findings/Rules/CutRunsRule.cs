using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs that the recording contains only in part.</summary>
public sealed class CutRunsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        return result
            .Processes.Where(process => process.Cut > 0)
            .Select(process => new Finding(
                FindingKind.Hint,
                "runs-cut",
                $"{process.Process}: {Plural.Of(process.Cut, "run")} cut off by the start or end of the recording: not shown"
            )
            {
                Advice = "record with a longer --duration; runs.csv of the benchmark has their times by its own clock",
                Evidence =
                [
                    new FindingEvidence($"{process.Process}: runs cut off", process.Cut, ""),
                    new FindingEvidence($"{process.Process}: runs found", process.Found, ""),
                ],
            });
    }
}
