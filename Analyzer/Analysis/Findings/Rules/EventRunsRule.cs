using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>What the reader of runs between events must know: events without a partner, runs at the same time, names that share a row.</summary>
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
                yield return new Finding(FindingKind.Warning, "runs-overlap", $"{process.Process}: up to {open} runs of {events.Title} are open at the same time: values of the whole process (GCs, pauses, allocation, CPU time) count in each of them, so their sum over runs is too large")
                {
                    Advice = "the times of the measuring thread (On CPU, Wait, Ready) are the run's own; cpu, alloc and other tables of events count each event once",
                    Evidence = [new FindingFigure($"{process.Process}: most runs open at once", open, "")],
                };
            }

            if (events.WithoutEnd + events.WithoutBegin > 0)
            {
                yield return new Finding(FindingKind.Hint, "runs-unpaired", $"{process.Process}: events of {events.Title} without a partner are not shown: {Plural.Of(events.WithoutEnd, "begin")}, {Plural.Of(events.WithoutBegin, "end")}")
                {
                    Evidence = [new FindingFigure($"{process.Process}: begins without an end", events.WithoutEnd, ""), new FindingFigure($"{process.Process}: ends without a begin", events.WithoutBegin, "")],
                };
            }
        }

        if (input.Result.Processes.Select(process => process.Events?.JoinedNames ?? 0).DefaultIfEmpty().Max() is > 0 and var joined)
            yield return new Finding(FindingKind.Hint, "runs-joined", $"{Plural.Of(joined, "name")} of runs share the row (others): only the most frequent ones have rows of their own");
    }
}
