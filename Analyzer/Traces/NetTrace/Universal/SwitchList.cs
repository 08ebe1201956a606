using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>When the threads of a process were on processors. An event of the trace is one end of a time away from them and says how long that was; this has the other ends.</summary>
/// <remarks>
/// The description of the format has the event where the thread comes back. record-trace 0.1.35021 writes it with the time at which the thread left: by the former the times of a thread overlap.
/// So both are tried, and what overlaps less often is taken.
/// <para/>
/// How a thread came to its processor for the first time is no event, nor is how it left for the last time. It was there from its first sample or leaving to its last sample or coming; what is missing is shorter
/// than a sampling period.
/// <para/>
/// record-trace loses events when the machine is busy, and does not say so. But a thread that runs is sampled: where it had run for many periods without a sample, its leaving is one of the lost events. It
/// is taken off its processor after the last thing that is known, and what is unknown is counted (<see cref="UnknownTicks"/>).
/// </remarks>
internal sealed class SwitchList
{
    /// <summary>A thread that has run for so many sampling periods without a sample has not run. On a busy virtual machine samples come late by a few.</summary>
    private const int MaxPeriodsWithoutSample = 20;

    private readonly Dictionary<int, List<Known>> _threads = [];
    private List<SwitchEnd>? _others;

    /// <summary>Whether no switch was seen.</summary>
    public bool IsEmpty { get; private set; } = true;

    /// <summary>Time for which threads would have run without a sample: events were lost.</summary>
    public long UnknownTicks { get; private set; }

    /// <summary>A thread was found on a processor.</summary>
    public void AddSample(int thread, long time) => Add(thread, new Known(time, null));

    /// <summary>An event: one end of a thread's time away.</summary>
    public void Add(int thread, long time, long away)
    {
        IsEmpty = false;
        Add(thread, new Known(time, away));
    }

    /// <summary>How many times of threads overlap, if the events are where threads leave, and if they are where threads come back.</summary>
    public (long IfLeaving, long IfComing) Overlaps()
    {
        var (leaving, coming) = (0L, 0L);
        foreach (var thread in _threads.Values)
        {
            Known? before = null;
            foreach (var item in thread)
            {
                if (item.Away is not { } away)
                    continue;
                leaving += before is { } last && last.Time + last.Away > item.Time ? 1 : 0;
                coming += before is { } earlier && item.Time - away < earlier.Time ? 1 : 0;
                before = item;
            }
        }

        return (leaving, coming);
    }

    /// <summary>The ends that are no events, the oldest first.</summary>
    /// <param name="eventsAreLeaving">Whether events are where threads leave.</param>
    /// <param name="period">Time between two samples of a thread that runs, in ticks; null when there are no samples.</param>
    public IReadOnlyList<SwitchEnd> Others(bool eventsAreLeaving, long? period)
    {
        if (_others is not null)
            return _others;
        _others = [];
        foreach (var (thread, known) in _threads)
            AddOthers(thread, known, eventsAreLeaving, period);
        _others.Sort(static (a, b) => a.Time.CompareTo(b.Time));
        return _others;
    }

    private void Add(int thread, Known item)
    {
        if (thread <= 0)
            return; // one that has ended
        ref var known = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out _);
        known ??= [];
        known.Add(item);
    }

    private void AddOthers(int thread, List<Known> known, bool eventsAreLeaving, long? period)
    {
        var (ends, patience) = (_others!, period * MaxPeriodsWithoutSample ?? long.MaxValue);

        // Since when it is known to run; null while it is away.
        long? seen = null;
        for (var i = 0; i < known.Count; i++)
        {
            var (left, came) = known[i].Ends(eventsAreLeaving);

            // It cannot come back after it left again: both times are of two readings of a clock.
            if (i + 1 < known.Count)
                came = Math.Max(left, Math.Min(came, known[i + 1].Ends(eventsAreLeaving).Left));
            if (seen is { } last && left - last > patience)
            {
                ends.Add(new SwitchEnd(last + 1, thread, IsLeaving: true));
                UnknownTicks += left - last;
                seen = null;
            }

            if (seen is null)
                ends.Add(new SwitchEnd(left, thread, IsLeaving: false));
            if (known[i].Away is not null)
                ends.Add(eventsAreLeaving ? new SwitchEnd(came, thread, IsLeaving: false) : new SwitchEnd(left, thread, IsLeaving: true));
            seen = came;
        }

        // One tick later than what is known, so that it follows that.
        if (seen is { } end)
            ends.Add(new SwitchEnd(end + 1, thread, IsLeaving: true));
    }

    /// <summary>What is known of a thread at a time.</summary>
    /// <param name="Time">When it was sampled, or of an event.</param>
    /// <param name="Away">Of an event, how long it was away.</param>
    private readonly record struct Known(long Time, long? Away)
    {
        /// <summary>When it left and when it came back: the same of a sample.</summary>
        public (long Left, long Came) Ends(bool eventsAreLeaving) => Away is not { } away ? (Time, Time) : eventsAreLeaving ? (Time, Time + away) : (Time - away, Time);
    }
}

/// <summary>A thread left its processor, or came back.</summary>
/// <param name="Time">When.</param>
/// <param name="ThreadId">The thread.</param>
/// <param name="IsLeaving">Whether it left.</param>
internal readonly record struct SwitchEnd(long Time, int ThreadId, bool IsLeaving);
