namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>One moment on two clocks: turns times of records into dates.</summary>
/// <param name="ClockId">The records' clock (clockid_t); 1 is CLOCK_MONOTONIC.</param>
/// <param name="WallClockNs">The moment in ns since 1970-01-01 UTC.</param>
/// <param name="ClockNs">The moment on the records' clock, ns.</param>
public sealed record PerfClockData(int ClockId, long WallClockNs, long ClockNs);
