namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Time, process and thread of an event.</summary>
/// <param name="Time">Ticks of the trace's clock.</param>
/// <param name="ProcessId">Process.</param>
/// <param name="ThreadId">Operating-system thread.</param>
public readonly record struct EventAt(long Time, int ProcessId, long ThreadId);
