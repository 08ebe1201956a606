using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Whether the thread that writes perf.data has time to compress: it takes precedence, and records come no faster than from busy processors
/// with samples of 4 KB. Without precedence it would empty the rings too late on a saturated machine: 1,000 threads that computed lost 3,896
/// to 23,051 records in six of nine recordings of an ordinary user.
/// </summary>
internal sealed class PackingLimit
{
    /// <summary>Compressing takes at most 1.5 % of each processor, and at most a quarter of the thread's time.</summary>
    private static readonly double s_maxBytesPerSecond = 4e6 * Math.Min(Environment.ProcessorCount, 16);

    private long _last = Stopwatch.GetTimestamp();

    /// <summary>Whether records that were collected since the last call may be compressed by the calling thread.</summary>
    /// <param name="bytes">Their size.</param>
    public bool Permits(int bytes)
    {
        var now = Stopwatch.GetTimestamp();
        var seconds = Stopwatch.GetElapsedTime(_last, now).TotalSeconds;
        _last = now;
        return bytes <= seconds * s_maxBytesPerSecond && ThreadScheduling.HasHighestPriority;
    }
}
