using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Derives each thread's activity from readings of its clocks, when there are no context switches.</summary>
/// <remarks>
/// A clock is read while its thread works, about once per millisecond, and after it went to sleep. So the thread's running time since the
/// last reading came last, before that it was ready, and before that it waited. The order between two readings is assumed; the sums are the
/// kernel's.
/// </remarks>
internal sealed class ThreadClocks
{
    /// <summary>The last reading of each thread.</summary>
    private readonly Dictionary<long, ThreadClock> _last = [];

    /// <summary>Adds a reading.</summary>
    /// <param name="clock">The reading.</param>
    /// <param name="span">Activity of the thread since its last reading.</param>
    /// <returns>False for a first reading, from which the clocks count.</returns>
    public bool TryRead(in ThreadClock clock, out ThreadSpan span)
    {
        var time = clock.At.Time;

        // A lower value means that the clocks restarted for another program (exec) or another thread with the same id.
        var isKnown = _last.TryGetValue(clock.At.ThreadId, out var last) && clock.CpuTicks >= last.CpuTicks;
        _last[clock.At.ThreadId] = clock;
        var running = Math.Max(last.At.Time, time - (clock.CpuTicks - last.CpuTicks));
        span = isKnown
            ? new ThreadSpan(last.At.Time, Math.Max(last.At.Time, running - Math.Max(0, clock.ReadyTicks - last.ReadyTicks)), running, time)
            : default;
        return isKnown;
    }

    /// <summary>Time of a thread's last reading; if it is long ago, the thread has waited since. Null without readings.</summary>
    public long? LastReading(long thread) => _last.TryGetValue(thread, out var last) ? last.At.Time : null;
}

/// <summary>Activity of a thread between two readings of its clocks: it waited, was ready and ran.</summary>
/// <param name="Start">Time of the previous reading.</param>
/// <param name="Readied">Time at which it was readied.</param>
/// <param name="Running">Time of its switch-in.</param>
/// <param name="Stop">Time of the reading.</param>
internal readonly record struct ThreadSpan(long Start, long Readied, long Running, long Stop);
