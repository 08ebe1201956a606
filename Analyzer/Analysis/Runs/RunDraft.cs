using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>What the first pass learns of a run: its marks, its marker wait, its truth. Times in ticks, null when not seen.</summary>
/// <param name="runId">Number of the run in its process.</param>
internal sealed class RunDraft(int runId)
{
    /// <summary>How long a run takes to begin: from MarkerWaiting to the start of its clock, on a machine with more threads than processors.</summary>
    private const int LongestStartMs = 100;

    /// <summary>How far the marker's wait may begin or end from the clock of a run that only the run CSV names. Further, one of the two threads had no processor.</summary>
    private const int LargestDistanceMs = 1;

    public int RunId { get; } = runId;

    public RunIdentity? Identity { get; set; }

    public RunTruth? Truth { get; set; }

    /// <summary>The iteration of BenchmarkDotNet that it is; null for a marked run. It has no marker.</summary>
    public RunIteration? Iteration { get; init; }

    public long MarkerThread { get; set; }

    /// <summary>The thread that wrote the run's marks, or that its samples say measured it; null when neither was seen.</summary>
    public long? MeasuringThread { get; set; }

    public long? MarkerWaiting { get; set; }

    /// <summary>Of a run that only the run CSV tells: when the marker can have begun to wait for it at the earliest, which is the end of the run before. Null for a marked run.</summary>
    public long? NotBefore { get; set; }

    /// <summary>From when on a wait of the marker can be this run's; null when nothing announces it.</summary>
    public long? WaitsFrom => MarkerWaiting ?? NotBefore;

    public long? WaitStart { get; set; }

    public long? WaitStop { get; set; }

    public long? SwitchedOut { get; set; }

    public long? MadeReady { get; set; }

    /// <summary>The thread that made the marker ready.</summary>
    public long? Waker { get; set; }

    public long? SwitchedIn { get; set; }

    public long? MarkStart { get; set; }

    public long? MarkClockStopped { get; set; }

    /// <summary>When the run's process was launched, by its launcher's reading of the runs' clock.</summary>
    public long? LaunchedTicks { get; set; }

    public bool Stopped { get; set; }

    public bool InCsv { get; set; }

    /// <summary>Begin and end of the marker's wait by the best evidence there is; null when it is not in the trace.</summary>
    public (DelimiterKind Kind, long Start, long Stop)? Marker
    {
        get
        {
            if (SwitchedOut is { } left && MadeReady is { } ready && ready > left)
                return (DelimiterKind.MarkerWaking, left, ready);
            if (SwitchedOut is { } gone && SwitchedIn is { } back && back > gone)
                return (DelimiterKind.MarkerSwitch, gone, back);
            return WaitStart is { } start && WaitStop is { } stop && stop > start ? (DelimiterKind.MarkerWait, start, stop) : null;
        }
    }

    /// <summary>Begin and end by the best delimiter there is; null when the run did not end or left no trace.</summary>
    public (DelimiterKind Kind, long Start, long Stop)? Window(TraceClock clock)
    {
        var marker = Marker;
        (DelimiterKind, long, long)? own = Truth is { } truth && truth.TicksPerSecond == clock.TicksPerSecond && truth.StopTicks > truth.StartTicks
            ? (DelimiterKind.Truth, truth.StartTicks, truth.StopTicks)
            : null;
        if (NotBefore is not null && IsFarFromClock(clock.TicksPerSecond * LargestDistanceMs / 1000))
            return own;
        if (marker is { Kind: DelimiterKind.MarkerWaking })
            return marker;
        if (MarkStart is { } start && MarkClockStopped is { } stop && stop > start)
            return (DelimiterKind.Marks, start, stop);
        return marker ?? own;
    }

    /// <summary>When the run's clock started, by its mark or else, of a run that only the run CSV tells, by its truth; <see cref="long.MinValue"/> when neither is known.</summary>
    public long ClockStarted => MarkStart ?? (NotBefore is not null ? Truth?.StartTicks : null) ?? long.MinValue;

    /// <summary>
    /// When the run's clock stopped, by its truth or else by its mark; <see cref="long.MaxValue"/> when neither is known. The mark is written after the
    /// marker was woken: by then its thread may be idle again.
    /// </summary>
    public long ClockStopped(long ticksPerSecond) =>
        Truth is { } truth && truth.TicksPerSecond == ticksPerSecond ? truth.StopTicks : MarkClockStopped ?? long.MaxValue;

    /// <summary>
    /// Whether the run began before the interval that a circular recording kept. A run without any begin in the trace did; one without MarkerWaiting did
    /// when its clock started so early in the interval that the mark may lie before it.
    /// </summary>
    public bool BeginsBefore(KeptInterval kept)
    {
        if (MarkerWaiting is { } waiting)
            return waiting <= kept.StartTicks;
        var begin = Truth is { } truth && truth.TicksPerSecond == kept.TicksPerSecond ? truth.StartTicks : MarkStart;
        return begin is null || begin <= kept.StartTicks + (kept.TicksPerSecond * LongestStartMs / 1000);
    }

    /// <summary>
    /// Takes a wait away from a run that only the run CSV names, if it is not the run's: the marker was back before the run's clock started. Where switches were lost, a wait that began long before
    /// may be the idle one, with the run's own lost; where none were lost, the measuring thread had no processor that long.
    /// </summary>
    /// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
    /// <param name="hasLosses">Whether the recording lost events.</param>
    public void CheckWait(long ticksPerSecond, bool hasLosses)
    {
        if (NotBefore is null || Marker is not { } wait)
            return;
        if (SwitchedIn <= ClockStarted || (hasLosses && wait.Start < ClockStarted - (ticksPerSecond * LongestStartMs / 1000)))
            SwitchedOut = MadeReady = SwitchedIn = null;
    }

    /// <summary>Whether the marker's wait begins or ends further than <paramref name="ticks"/> from the run's own clock, or ended before it (made ready early, the marker had no processor).</summary>
    private bool IsFarFromClock(long ticks) => Marker is { } wait && Truth is { } truth
        && (Math.Abs(wait.Start - truth.StartTicks) > ticks || Math.Abs(wait.Stop - truth.StopTicks) > ticks || wait.Stop <= truth.StartTicks);

    /// <summary>Whether the run had not ended when the snapshot of a circular recording was asked for.</summary>
    public bool EndsAfter(KeptInterval kept)
    {
        if (!kept.IsSnapshot)
            return false;
        var end = Truth is { } truth && truth.TicksPerSecond == kept.TicksPerSecond ? truth.StopTicks : MarkClockStopped;
        return end is null || end >= kept.StopTicks;
    }

    /// <summary>Larger distance between wait and marks at begin and end, in ticks.</summary>
    public long? MarkerMarksDistance =>
        Marker is { } wait && MarkStart is { } start && MarkClockStopped is { } stop
            ? Math.Max(Math.Abs(wait.Start - start), Math.Abs(wait.Stop - stop))
            : null;
}
