using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Follows the clocks of a process's threads, where there are no context switches.</summary>
/// <remarks>
/// A clock is read again and again (about once a millisecond) while its thread works, and when it has gone to sleep: so what a thread ran since the last reading, it ran just now, ready before that, and waiting
/// before that. A run of a few readings is exact but for the order within the first and the last of them; over many runs one's too much is another one's too little.
/// </remarks>
/// <param name="addCpu">Receives when a thread was on a processor.</param>
/// <param name="measuring">The threads that measure runs.</param>
internal sealed class ThreadClocks(Action<long, long, long> addCpu, IReadOnlyDictionary<long, MeasuringThread> measuring)
{
    /// <summary>The last reading of each thread.</summary>
    private readonly Dictionary<long, ThreadClock> _last = [];

    /// <summary>A clock was read.</summary>
    public void Read(in ThreadClock clock)
    {
        var (time, thread) = (clock.At.Time, clock.At.ThreadId);
        // Less than before: they started anew, for another program (exec) or another thread with the same id.
        if (_last.TryGetValue(thread, out var last) && clock.CpuTicks >= last.CpuTicks)
        {
            var running = Math.Max(last.At.Time, time - (clock.CpuTicks - last.CpuTicks));
            addCpu(thread, running, time);
            if (measuring.TryGetValue(thread, out var own))
                own.Spent(last.At.Time, Math.Max(last.At.Time, running - Math.Max(0, clock.ReadyTicks - last.ReadyTicks)), running, time);
        }

        _last[thread] = clock;
    }

    /// <summary>The trace has ended. Threads whose clocks have not moved since the last reading have waited.</summary>
    /// <param name="end">Up to when it goes.</param>
    public void Finish(long end)
    {
        foreach (var (thread, last) in _last)
        {
            if (measuring.TryGetValue(thread, out var own))
                own.Spent(last.At.Time, end, end, end);
        }
    }
}
