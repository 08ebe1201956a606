using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>When the threads of a process were switched in and out. An event of the trace is one end of a thread's time off the processors and has its duration; this list has the other ends.</summary>
/// <remarks>
/// By the description of the format the event is where the thread is switched in. record-trace 0.1.35021 writes the time at which the thread was switched out: read the other way, the times of a thread
/// overlap. So both ways are tried, and the one with fewer overlaps is taken.
/// <para/>
/// The trace has no event for a thread's first switch in and its last switch out. The thread counts as running from the first thing known of it, a sample or a switch, to the last one; what is missing is
/// shorter than a sampling period.
/// <para/>
/// record-trace loses events when the machine is busy, and does not report it. But a running thread is sampled: where it would have run for many periods without a sample, its switch out is one of the lost
/// events. The thread is then switched out right after the last thing known of it, and the unknown time is counted (<see cref="UnknownTicks"/>).
/// </remarks>
internal sealed class SwitchList
{
    /// <summary>After so many sampling periods without a sample a thread was not running. On a busy virtual machine samples are late by a few.</summary>
    private const int MaxPeriodsWithoutSample = 20;

    private readonly Dictionary<int, List<Known>> _threads = [];
    private List<ThreadSwitch>? _others;

    /// <summary>Whether no switch was seen.</summary>
    public bool IsEmpty { get; private set; } = true;

    /// <summary>Time for which threads would have run without a sample, in ticks: events were lost.</summary>
    public long UnknownTicks { get; private set; }

    /// <summary>Time for which threads ran by the switches, in ticks.</summary>
    public long RunningTicks { get; private set; }

    /// <summary>Adds a sample of a running thread.</summary>
    public void AddSample(int thread, long time, int processor) => Add(thread, new Known(time, null, processor));

    /// <summary>Adds a switch event: one end of a thread's time off the processors, and its duration in ticks.</summary>
    public void Add(int thread, long time, long away, int processor)
    {
        IsEmpty = false;
        Add(thread, new Known(time, away, processor));
    }

    /// <summary>Counts the overlaps, if events are where threads are switched out, and if they are where threads are switched in.</summary>
    public (long IfOut, long IfIn) Overlaps()
    {
        var (ifOut, ifIn) = (0L, 0L);
        foreach (var thread in _threads.Values)
        {
            Known? before = null;
            foreach (var item in thread)
            {
                if (item.Away is not { } away)
                    continue;
                ifOut += before is { } last && last.Time + last.Away > item.Time ? 1 : 0;
                ifIn += before is { } earlier && item.Time - away < earlier.Time ? 1 : 0;
                before = item;
            }
        }

        return (ifOut, ifIn);
    }

    /// <summary>The switches that the trace has no event for, the oldest first.</summary>
    /// <param name="eventsAreOut">Whether events are where threads are switched out.</param>
    /// <param name="period">Time between two samples of a running thread, in ticks; null without samples.</param>
    /// <param name="begin">When the trace begins; earlier switches are left out.</param>
    public IReadOnlyList<ThreadSwitch> Others(bool eventsAreOut, long? period, long begin)
    {
        if (_others is not null)
            return _others;
        _others = [];
        foreach (var (thread, known) in _threads)
            AddOthers(thread, known, eventsAreOut, period);
        _others.RemoveAll(item => item.Time < begin);
        _others.Sort(static (a, b) => a.Time.CompareTo(b.Time));
        return _others;
    }

    private void Add(int thread, Known item)
    {
        if (thread <= 0)
            return; // the thread had ended
        ref var known = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out _);
        known ??= [];
        known.Add(item);
    }

    private void AddOthers(int thread, List<Known> known, bool eventsAreOut, long? period)
    {
        var (ends, patience) = (_others!, period * MaxPeriodsWithoutSample ?? long.MaxValue);

        // Time of the last thing known of it while it runs, null while it does not; and its processor. Between two switches a thread stays on one.
        long? seen = null;
        var begin = 0L;
        var processor = 0;
        for (var i = 0; i < known.Count; i++)
        {
            var (switchedOut, switchedIn) = known[i].Ends(eventsAreOut);

            // A thread cannot be switched in after its next switch out; the two times come from different readings of the clock.
            if (i + 1 < known.Count)
                switchedIn = Math.Max(switchedOut, Math.Min(switchedIn, known[i + 1].Ends(eventsAreOut).Out));
            if (seen is { } last && switchedOut - last > patience)
            {
                ends.Add(new ThreadSwitch(last + 1, thread, processor, IsOut: true));
                RunningTicks += last + 1 - begin;
                UnknownTicks += switchedOut - last;
                seen = null;
            }

            // The first switch in of a thread has no time off the processors in an export of esp-analyze.
            if (seen is null && !eventsAreOut && known[i].Away == 0)
            {
                (seen, begin, processor) = (switchedIn, switchedIn, known[i].Processor);
                continue;
            }

            if (seen is null)
            {
                ends.Add(new ThreadSwitch(switchedOut, thread, eventsAreOut || i == 0 ? known[i].Processor : known[i - 1].Processor, IsOut: false));
                begin = switchedOut;
            }

            if (known[i].Away is not null)
            {
                ends.Add(eventsAreOut ? new ThreadSwitch(switchedIn, thread, known[Math.Min(i + 1, known.Count - 1)].Processor, IsOut: false) : new ThreadSwitch(switchedOut, thread, known[Math.Max(i - 1, 0)].Processor, IsOut: true));
                RunningTicks += switchedOut - begin;
                begin = switchedIn;
            }

            (seen, processor) = (switchedIn, known[eventsAreOut ? Math.Min(i + 1, known.Count - 1) : i].Processor);
        }

        // One tick later, so that it follows the last thing known.
        if (seen is not { } end)
            return;
        ends.Add(new ThreadSwitch(end + 1, thread, processor, IsOut: true));
        RunningTicks += end + 1 - begin;
    }

    /// <summary>A sample or a switch event of a thread.</summary>
    /// <param name="Time">When.</param>
    /// <param name="Away">Time off the processors in ticks; null for a sample.</param>
    /// <param name="Processor">On which processor.</param>
    private readonly record struct Known(long Time, long? Away, int Processor)
    {
        /// <summary>When the thread was switched out and in again; both the time of a sample.</summary>
        public (long Out, long In) Ends(bool eventsAreOut) => Away is not { } away ? (Time, Time) : eventsAreOut ? (Time, Time + away) : (Time - away, Time);
    }
}

/// <summary>A thread was switched out or in.</summary>
/// <param name="Time">When.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="Processor">On which processor: that of the thread's next event for a switch in, of the one before for a switch out.</param>
/// <param name="IsOut">Whether it was switched out.</param>
internal readonly record struct ThreadSwitch(long Time, int ThreadId, int Processor, bool IsOut);
