namespace EtwSerializerProfiler.Traces;

/// <summary>An interval in which events of a source were lost. Outside of its gaps, a source is whole.</summary>
/// <param name="StartTicks">Time of the last event before the loss on the same processor or thread.</param>
/// <param name="StopTicks">Time at which the loss was reported.</param>
/// <param name="LostEvents">Number of lost events.</param>
public readonly record struct EventGap(long StartTicks, long StopTicks, long LostEvents);
