using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Turns readings of the threads' clocks into what each thread did, where there are no context switches.</summary>
/// <remarks>
/// A clock is read while its thread works, about once a millisecond, and when it has gone to sleep. So what a thread has run since the last reading, it ran just now; before that it was ready, and before that it waited.
/// The order within the time between two readings is assumed, the sums are the kernel's.
/// </remarks>
internal sealed class ThreadClocks
{
    /// <summary>The last reading of each thread.</summary>
    private readonly Dictionary<long, ThreadClock> _last = [];

    /// <summary>Takes a reading.</summary>
    /// <param name="clock">The reading.</param>
    /// <param name="span">What the thread did since its last reading.</param>
    /// <returns>False for a first reading, from which on the clocks count.</returns>
    public bool TryRead(in ThreadClock clock, out ThreadSpan span)
    {
        var time = clock.At.Time;

        // Less than before: they started anew, for another program (exec) or another thread with the same id.
        var isKnown = _last.TryGetValue(clock.At.ThreadId, out var last) && clock.CpuTicks >= last.CpuTicks;
        _last[clock.At.ThreadId] = clock;
        var running = Math.Max(last.At.Time, time - (clock.CpuTicks - last.CpuTicks));
        span = isKnown ? new ThreadSpan(last.At.Time, Math.Max(last.At.Time, running - Math.Max(0, clock.ReadyTicks - last.ReadyTicks)), running, time) : default;
        return isKnown;
    }

    /// <summary>When a thread's clocks were read last: if that is long ago, it has waited since. Null when they never were.</summary>
    public long? LastReading(long thread) => _last.TryGetValue(thread, out var last) ? last.At.Time : null;
}

/// <summary>What a thread did between two readings of its clocks: it waited, was ready and ran.</summary>
/// <param name="Start">The reading before.</param>
/// <param name="Readied">When it was readied.</param>
/// <param name="Running">When it came to its processor.</param>
/// <param name="Stop">The reading.</param>
internal readonly record struct ThreadSpan(long Start, long Readied, long Running, long Stop);
