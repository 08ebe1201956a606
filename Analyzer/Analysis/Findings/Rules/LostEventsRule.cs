using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Events that the runtime could not write to the session's buffer.</summary>
public sealed class LostEventsRule : IFindingRule
{
    private const string Advice = "record again with a larger buffer";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var result = input.Result;
        foreach (var recording in result.Recordings.Where(recording => recording.LostEvents > 0))
        {
            yield return new Finding(FindingKind.Warning, "lost-events", $"{recording.Prefix}{Plural.Of(recording.LostEvents, "event")} lost: counts and times may be too small; {Advice}")
            {
                Advice = Advice,
                Evidence = [new FindingFigure($"{recording.Prefix}events lost", recording.LostEvents, "")],
            };
        }
    }
}
