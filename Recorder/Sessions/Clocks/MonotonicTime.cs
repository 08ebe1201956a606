using System.Diagnostics;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>
/// The clock of EventPipe and <see cref="Stopwatch"/> in ns, the unit of a perf.data file. On Windows, its ticks are not ns.
/// </summary>
internal static class MonotonicTime
{
    private static readonly TraceClock s_clock = new(0, Stopwatch.Frequency);

    /// <summary>The current time in ns.</summary>
    public static long Now() => s_clock.ToNanoseconds(Stopwatch.GetTimestamp());
}
