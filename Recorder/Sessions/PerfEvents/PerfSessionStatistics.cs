namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>Counts of a perf session so far, taken while reading the rings.</summary>
/// <param name="Samples">CPU samples and tracepoint hits.</param>
/// <param name="Switches">Context switches, in and out.</param>
/// <param name="OtherRecords">Names, mappings, threads, lost marks, round marks.</param>
/// <param name="LostRecords">Records that did not fit into a ring; also reported in the file.</param>
/// <param name="ThrottledPeriods">How often the kernel paused sampling because it took too much time.</param>
/// <param name="Bytes">Bytes of records.</param>
public readonly record struct PerfSessionStatistics(
    long Samples,
    long Switches,
    long OtherRecords,
    long LostRecords,
    long ThrottledPeriods,
    long Bytes
);
