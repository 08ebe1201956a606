using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Events that the runtime or the kernel could not write, and the runs during which that happened.</summary>
public sealed class LostEventsRule : IFindingRule
{
    /// <summary>Advice when no recording says why events were lost.</summary>
    private const string Advice = "record fewer events (--alloc none, --no-switch-stacks), or with a larger --buffer";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var recording in result.Recordings.Where(recording => recording.LostEvents > 0))
        {
            var kernel = input.Recordings.FirstOrDefault(item => item.Label == recording.Label)?.Description.Kernel;
            var advice = kernel is { LossAdvice.Length: > 0 } ? kernel.LossAdvice : Advice;
            var touched = result.Runs.Where(run => run.Process.Recording == recording.Label && run.GapMs is not null).ToList();
            yield return new Finding(
                FindingKind.Warning,
                "lost-events",
                $"{recording.Prefix}{Plural.Of(recording.LostEvents, "event")} lost{When(recording)}: {Effect(recording, result, touched)}; {advice}"
            )
            {
                Advice = advice,
                Evidence =
                [
                    new FindingEvidence($"{recording.Prefix}events lost", recording.LostEvents, ""),
                    .. recording.Gaps.Count > 0
                        ? [new FindingEvidence($"{recording.Prefix}time with lost events", recording.GapMs, "ms")]
                        : (FindingEvidence[])[],
                ],
                Locations = [.. touched.Select(run => FindingLocation.Of(run))],
            };
        }
    }

    private static string When(RecordingFacts recording) =>
        recording.Gaps.Count > 0
            ? FormattableString.Invariant($" in {Plural.Of(recording.Gaps.Count, "gap")} of {recording.GapMs:0.0} ms together")
            : "";

    /// <summary>Which numbers are doubtful: of the touched runs when it is known when events were lost, else all.</summary>
    private static string Effect(RecordingFacts recording, AnalysisResult result, List<Run> touched)
    {
        if (recording.Gaps.Count == 0)
            return "counts and times may be too small";
        if (touched.Count == 0)
            return "no run is touched, and all their numbers are whole";
        var runs = result.Runs.Count(run => run.Process.Recording == recording.Label);
        var alone = result
            .Rows.Concat(result.FirstUseRows)
            .Count(row => row.CountedRuns.Any(run => run.Process.Recording == recording.Label && run.GapMs is not null));
        return $"counts and times of {touched.Count} of {Plural.Of(runs, "run")} may be too small"
            + (
                alone == 0
                    ? ", so rows leave these runs out"
                    : $"; {Plural.Of(alone, "row")} with no other run {(alone == 1 ? "includes" : "include")} them, the others leave them out"
            );
    }
}
