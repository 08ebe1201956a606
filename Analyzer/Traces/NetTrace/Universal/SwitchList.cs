using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>
/// Switch-ins and switch-outs of a process's threads. An event of the trace is one end of a thread's time off the processors and has its
/// duration; this list has the other ends.
/// </summary>
/// <remarks>
/// The format's description defines the event as the switch-in. record-trace 0.1.35021 writes the time of the switch-out: read the other
/// way, the times of a thread overlap. So both readings are tried, and the one with fewer overlaps is used.
/// <para/>
/// The trace has no event for a thread's first switch-in and last switch-out. The thread counts as running from its first sample or switch
/// to its last; the missing time is shorter than a sampling period.
/// <para/>
/// record-trace loses events on a busy machine without reporting it. But a running thread is sampled, so if it would have run for many
/// periods without a sample, its switch-out was lost. The thread is then switched out directly after its last known event, and the unknown
/// time is counted (<see cref="UnknownTicks"/>).
/// </remarks>
internal sealed class SwitchList
{
    /// <summary>
    /// Number of sampling periods without a sample after which a thread was not running. On a busy virtual machine, samples are late by a
    /// few.
    /// </summary>
    private const int MaxPeriodsWithoutSample = 20;

    private readonly Dictionary<int, List<Known>> _threads = [];
    private List<ThreadSwitch>? _others;

    /// <summary>Whether there are no switches.</summary>
    public bool IsEmpty { get; private set; } = true;

    /// <summary>Time that threads would have run without a sample, in ticks, because events were lost.</summary>
    public long UnknownTicks { get; private set; }

    /// <summary>Running time of threads by the switches, in ticks.</summary>
    public long RunningTicks { get; private set; }

    /// <summary>Adds a sample of a running thread.</summary>
    public void AddSample(int thread, long time, int processor) => Add(thread, new Known(time, 0, processor, IsSwitch: false));

    /// <summary>Adds a switch event: one end of a thread's time off the processors, and its duration in ticks.</summary>
    public void Add(int thread, long time, long away, int processor)
    {
        IsEmpty = false;
        Add(thread, new Known(time, away, processor, IsSwitch: true));
    }

    /// <summary>Counts the overlaps for both readings: events as switch-outs, and as switch-ins.</summary>
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

    /// <summary>The switches without an event in the trace, oldest first. What was added is then forgotten.</summary>
    /// <param name="eventsAreOut">Whether events are switch-outs.</param>
    /// <param name="period">Time between two samples of a running thread, in ticks; null without samples.</param>
    /// <param name="begin">Start of the trace; earlier switches are omitted.</param>
    public IReadOnlyList<ThreadSwitch> Others(bool eventsAreOut, long? period, long begin)
    {
        if (_others is not null)
            return _others;
        _others = [];
        foreach (var (thread, known) in _threads)
            AddOthers(thread, known, eventsAreOut, period);
        _threads.Clear();
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

        // Time of its last known event while it runs, null while it does not; and its processor, which stays the same between two switches.
        long? seen = null;
        var begin = 0L;
        var processor = 0;
        for (var i = 0; i < known.Count; i++)
        {
            var (switchedOut, switchedIn) = known[i].Ends(eventsAreOut);

            // A thread cannot be switched in after its next switch-out; the two times come from different clock readings.
            if (i + 1 < known.Count)
                switchedIn = Math.Max(switchedOut, Math.Min(switchedIn, known[i + 1].Ends(eventsAreOut).Out));
            if (seen is { } last && switchedOut - last > patience)
            {
                ends.Add(new ThreadSwitch(last + 1, thread, processor, IsOut: true));
                RunningTicks += last + 1 - begin;
                UnknownTicks += switchedOut - last;
                seen = null;
            }

            // In an export of esp-analyze, a thread's first switch-in has no time off the processors.
            if (seen is null && !eventsAreOut && known[i].Away == 0)
            {
                (seen, begin, processor) = (switchedIn, switchedIn, known[i].Processor);
                continue;
            }

            if (seen is null)
            {
                ends.Add(
                    new ThreadSwitch(
                        switchedOut,
                        thread,
                        eventsAreOut || i == 0 ? known[i].Processor : known[i - 1].Processor,
                        IsOut: false
                    )
                );
                begin = switchedOut;
            }

            if (known[i].Away is not null)
            {
                ends.Add(
                    eventsAreOut
                        ? new ThreadSwitch(switchedIn, thread, known[Math.Min(i + 1, known.Count - 1)].Processor, IsOut: false)
                        : new ThreadSwitch(switchedOut, thread, known[Math.Max(i - 1, 0)].Processor, IsOut: true)
                );
                RunningTicks += switchedOut - begin;
                begin = switchedIn;
            }

            (seen, processor) = (switchedIn, known[eventsAreOut ? Math.Min(i + 1, known.Count - 1) : i].Processor);
        }

        // One tick later, so that it follows the last known event.
        if (seen is not { } end)
            return;
        ends.Add(new ThreadSwitch(end + 1, thread, processor, IsOut: true));
        RunningTicks += end + 1 - begin;
    }

    /// <summary>A sample or a switch event of a thread.</summary>
    /// <param name="Time">Time.</param>
    /// <param name="AwayTicks">Time off the processors in ticks; 0 for a sample.</param>
    /// <param name="Processor">On which processor.</param>
    /// <param name="IsSwitch">Whether it is a switch event.</param>
    private readonly record struct Known(long Time, long AwayTicks, int Processor, bool IsSwitch)
    {
        /// <summary>Time off the processors in ticks; null for a sample.</summary>
        public long? Away => IsSwitch ? AwayTicks : null;

        /// <summary>Times of switch-out and next switch-in; for a sample, both are its time.</summary>
        public (long Out, long In) Ends(bool eventsAreOut) =>
            Away is not { } away ? (Time, Time)
            : eventsAreOut ? (Time, Time + away)
            : (Time - away, Time);
    }
}

/// <summary>A switch-out or switch-in of a thread.</summary>
/// <param name="Time">Time.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="Processor">Processor: that of the thread's next event for a switch-in, of the previous one for a switch-out.</param>
/// <param name="IsOut">Whether it is a switch-out.</param>
internal readonly record struct ThreadSwitch(long Time, int ThreadId, int Processor, bool IsOut);
