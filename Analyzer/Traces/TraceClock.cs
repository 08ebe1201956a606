namespace EtwSerializerProfiler.Traces;

/// <summary>
/// The clock of a trace. Times in the event model are ticks of this clock: on Linux CLOCK_MONOTONIC in nanoseconds, on Windows
/// QueryPerformanceCounter, the same clock as <see cref="System.Diagnostics.Stopwatch"/> on either.
/// </summary>
/// <param name="OriginTicks">Time at which the trace began, in ticks.</param>
/// <param name="TicksPerSecond">Ticks in one second; greater than 0.</param>
public readonly record struct TraceClock(long OriginTicks, long TicksPerSecond)
{
    /// <summary>A span of ticks in milliseconds.</summary>
    public double ToMilliseconds(long ticks) => ticks * 1e3 / TicksPerSecond;

    /// <summary>A span of ticks in microseconds.</summary>
    public double ToMicroseconds(long ticks) => ticks * 1e6 / TicksPerSecond;

    /// <summary>A span of ticks in nanoseconds, rounded down; exact for spans up to 292 years.</summary>
    public long ToNanoseconds(long ticks) => (long)((Int128)ticks * 1_000_000_000 / TicksPerSecond);

    /// <summary>A span in nanoseconds as ticks, rounded down.</summary>
    public long FromNanoseconds(long nanoseconds) => (long)((Int128)nanoseconds * TicksPerSecond / 1_000_000_000);

    /// <summary>A time as milliseconds since the trace began.</summary>
    public double SinceOriginMilliseconds(long time) => ToMilliseconds(time - OriginTicks);
}
