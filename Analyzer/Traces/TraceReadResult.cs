using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>What a pass over a source found out about the source itself.</summary>
/// <param name="Events">Number of events read, of all kinds.</param>
/// <param name="LostEvents">Number of events that the recorded process could not write, by gaps in the sequence numbers.</param>
/// <param name="FirstTime">Time of the first event, in ticks; the trace's origin when there is none.</param>
/// <param name="LastTime">Time of the last event outside of the rundown, in ticks.</param>
/// <param name="Damage">Where damage ended the reading; null when the source was read to its end.</param>
public sealed record TraceReadResult(long Events, long LostEvents, long FirstTime, long LastTime, TraceDamage? Damage)
{
    /// <summary>
    /// Kinds of events that are known up to a time only, in ticks: in a trace that was exported from a recording with a damaged file.
    /// </summary>
    public IReadOnlyList<(EventKinds Kinds, long Until)> Ends { get; init; } = [];

    /// <summary>
    /// Intervals in which events were lost, in order of time and without overlaps; of all processes when the source shares its file.
    /// </summary>
    public IReadOnlyList<EventGap> Gaps { get; init; } = [];

    /// <summary>Whether events of a kind could be read up to a time; false after the damage of their file.</summary>
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
