namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Records that were dropped by design, to be taken off what was recorded.</summary>
/// <param name="Samples">CPU samples and tracepoint hits.</param>
/// <param name="Switches">Context switches, in and out.</param>
/// <param name="Others">Other records.</param>
/// <param name="Lost">Losses that the dropped records told of.</param>
public readonly record struct PerfDroppedRecords(long Samples, long Switches, long Others, long Lost);
