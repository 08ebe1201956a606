namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>A manifest of an EventSource that was not used.</summary>
/// <param name="Provider">The EventSource.</param>
/// <param name="ProcessId">The process that wrote it.</param>
/// <param name="Reason">What is wrong with it.</param>
public sealed record DamagedManifest(Guid Provider, int ProcessId, string Reason);
