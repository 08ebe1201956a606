using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Properties of runs between events that readers must know: unpaired events, overlapping runs, names that share a row.</summary>
public sealed class EventRunsRule : IFindingRule
{
    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        foreach (var process in input.Result.Processes)
        {
            if (process.Events is not { } events)
                continue;
            if (events.MaxOpen is > 1 and var open)
            {
                yield return new Finding(
                    FindingKind.Warning,
                    "runs-overlap",
                    $"{process.Process}: up to {open} runs of {events.Title} are open at the same time: values of the whole process (GCs, pauses, allocation, CPU time) count in each of them, and their sum over runs is too large"
                )
                {
                    Advice =
                        "the times of the measuring thread (On CPU, Wait, Ready) are exact per run; cpu, alloc and other tables of events count each event once",
                    Evidence = [new FindingEvidence($"{process.Process}: max runs open at once", open, "")],
                };
            }

            if (events.WithoutEnd + events.WithoutBegin > 0)
            {
                yield return new Finding(
                    FindingKind.Hint,
                    "runs-unpaired",
                    $"{process.Process}: unpaired events of {events.Title} are not shown: {Plural.Of(events.WithoutEnd, "start")}, {Plural.Of(events.WithoutBegin, "stop")}"
                )
                {
                    Evidence =
                    [
                        new FindingEvidence($"{process.Process}: starts without a stop", events.WithoutEnd, ""),
                        new FindingEvidence($"{process.Process}: stops without a start", events.WithoutBegin, ""),
                    ],
                };
            }
        }

        if (input.Result.Processes.Select(process => process.Events?.JoinedNames ?? 0).DefaultIfEmpty().Max() is > 0 and var joined)
            yield return new Finding(
                FindingKind.Hint,
                "runs-joined",
                $"{Plural.Of(joined, "name")} of runs share the row (others): only the most frequent names have their own rows"
            );
    }
}
