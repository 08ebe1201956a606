namespace EtwSerializerProfiler.Traces;

/// <summary>What a pass over a source found out about the source as a whole.</summary>
/// <param name="Events">Events read, of every kind.</param>
/// <param name="LostEvents">Events the recorded process could not write, by gaps in the sequence numbers.</param>
/// <param name="FirstTime">Time of the first event, in ticks; the trace's origin when there is none.</param>
/// <param name="LastTime">Time of the last event that is no rundown event, in ticks.</param>
/// <param name="Damage">Where the reading ended early, null when all was read.</param>
public sealed record TraceReadResult(long Events, long LostEvents, long FirstTime, long LastTime, TraceDamage? Damage);
