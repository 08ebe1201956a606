using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>What a pass over a source found out about the source as a whole.</summary>
/// <param name="Events">Events read, of every kind.</param>
/// <param name="LostEvents">Events the recorded process could not write, by gaps in the sequence numbers.</param>
/// <param name="FirstTime">Time of the first event, in ticks; the trace's origin when there is none.</param>
/// <param name="LastTime">Time of the last event outside of the rundown, in ticks.</param>
/// <param name="Damage">Where the reading ended early, null when all was read.</param>
public sealed record TraceReadResult(long Events, long LostEvents, long FirstTime, long LastTime, TraceDamage? Damage)
{
    /// <summary>Kinds of events that come up to a time only: of a trace that was made of a recording with a damaged file.</summary>
    public IReadOnlyList<(EventKinds Kinds, long Until)> Ends { get; init; } = [];

    /// <summary>
    /// Intervals in which events were lost, in order of time and without overlaps; of all processes when the source shares its file.
    /// </summary>
    public IReadOnlyList<EventGap> Gaps { get; init; } = [];

    /// <summary>Whether events of a kind were readable up to a time: after a file's damage nothing is known.</summary>
    public bool Reaches(EventKinds kind, long time)
    {
        foreach (var (kinds, until) in Ends)
        {
            if ((kinds & kind) != 0 && time > until)
                return false;
        }

        return Damage is null || time <= LastTime;
    }
}
