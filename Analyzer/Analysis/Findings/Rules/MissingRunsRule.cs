using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Runs of the benchmark that the trace does not delimit.</summary>
public sealed class MissingRunsRule : IFindingRule
{
    private const int MaxNumbers = 20;
    private const string Advice = "check for lost events or a session that started late; treat the numbers of these runs with care";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var process in result.Processes)
        {
            if (process.Expected is not { } expected || (expected == process.Found && process.MissingRunIds.Count == 0))
                continue;
            var numbers = string.Join(", ", process.MissingRunIds.Take(MaxNumbers).Select(id => id.ToString(CultureInfo.InvariantCulture)));
            var more = process.MissingRunIds.Count > MaxNumbers ? $" and {process.MissingRunIds.Count - MaxNumbers} more" : "";
            yield return new Finding(
                FindingKind.Warning,
                "runs-missing",
                $"{process.Process}: expected {Plural.Of(expected, "run")}, found {process.Found}"
                    + (numbers.Length > 0 ? $"; without {process.Pairing.Phrase} in the trace: run {numbers}{more}" : "")
            )
            {
                Advice = Advice,
                Evidence =
                [
                    new FindingEvidence($"{process.Process}: runs expected", expected, ""),
                    new FindingEvidence($"{process.Process}: runs found", process.Found, ""),
                ],
                Locations =
                [
                    .. process.Runs.Where(run => process.MissingRunIds.Contains(run.RunId)).Select(run => FindingLocation.Of(run)),
                ],
            };
        }

        foreach (var recording in result.Recordings)
        {
            var written = result
                .Processes.Where(process => process.Process.Recording == recording.Label)
                .Sum(process => (process.Expected ?? 0) + process.Before + process.After);
            if (recording.PlannedRuns > written)
            {
                yield return new Finding(
                    FindingKind.Warning,
                    "runs-planned",
                    $"{recording.Prefix}the benchmark planned {Plural.Of(recording.PlannedRuns, "run")} and made {written}: it ended early"
                )
                {
                    Advice = "read the benchmark's output; recording.json has its exit code",
                    Evidence =
                    [
                        new FindingEvidence($"{recording.Prefix}runs planned", recording.PlannedRuns, ""),
                        new FindingEvidence($"{recording.Prefix}runs made", written, ""),
                    ],
                };
            }
        }
    }
}
