using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Runs.Delimiting;

/// <summary>All evidence in the trace for one run's start and stop.</summary>
/// <param name="Marks">Its marks.</param>
/// <param name="Wait">The wait of its marker thread.</param>
/// <param name="Clock">Clock of the trace.</param>
internal sealed record RunEvidence(RunMarks Marks, MarkerThreadWait Wait, TraceClock Clock)
{
    /// <summary>
    /// Maximum distance between the marker's wait and the clock of a run that only the run CSV names. At a larger distance, one of the two
    /// threads had no processor.
    /// </summary>
    private const int MaxDistanceMs = 1;

    /// <summary>
    /// Maximum distance between an edge by the trace and the program's clock, which is read right beside it: more than the error of any
    /// delimiter. At a larger distance, the measuring thread had no processor between the two, for up to some ms on a busy machine.
    /// </summary>
    private const int MaxEdgeDistanceMicroseconds = 100;

    /// <summary>The program's own start and stop; null when not in ticks of the trace.</summary>
    public RunSpan? OwnClock =>
        Marks.SelfMeasurement is { } own && own.TicksPerSecond == Clock.TicksPerSecond ? RunSpan.Of(own.StartTicks, own.StopTicks) : null;

    /// <summary>Moves an edge to the program's clock if it is too far outside of it.</summary>
    /// <param name="span">The run by the trace.</param>
    public RunSpan Narrow(RunSpan span)
    {
        if (OwnClock is not { } own || own.Start < span.Start || own.Stop > span.Stop)
            return span;
        var far = Clock.TicksPerSecond * MaxEdgeDistanceMicroseconds / 1_000_000;
        return new RunSpan(own.Start - span.Start > far ? own.Start : span.Start, span.Stop - own.Stop > far ? own.Stop : span.Stop);
    }

    /// <summary>The marker's wait by the best available evidence; null when it is not in the trace.</summary>
    public RunSpan? MarkerWait => Wait.UntilReadied ?? Wait.UntilSwitchedIn ?? Wait.ByEvents;

    /// <summary>
    /// Whether the marker's wait can delimit the run. For a run that only the run CSV names, only its clock can confirm the wait: a wait
    /// that begins or ends far from it, or that ended before it (the marker was readied early), shows when one of the two threads had a
    /// processor.
    /// </summary>
    public bool HasOwnWait =>
        Marks.NotBefore is null
        || MarkerWait is not { } wait
        || Marks.SelfMeasurement is not { } own
        || (
            Math.Max(Math.Abs(wait.Start - own.StartTicks), Math.Abs(wait.Stop - own.StopTicks))
                <= Clock.TicksPerSecond * MaxDistanceMs / 1000
            && wait.Stop > own.StartTicks
        );

    /// <summary>The larger distance between wait and marks, at start or stop, in ticks; null without both.</summary>
    public long? WaitToMarks =>
        MarkerWait is { } wait && Marks is { MarkStart: { } start, MarkClockStopped: { } stop }
            ? Math.Max(Math.Abs(wait.Start - start), Math.Abs(wait.Stop - stop))
            : null;

    /// <summary>The thread that measured the run: it wrote the marks, or it ended the marker's wait.</summary>
    public long? MeasuringThread =>
        Marks.MeasuringThread ?? (Marks.NotBefore is not null && MarkerWait is not null ? Wait.ReadiedBy : null);

    /// <summary>
    /// The evidence without a wait that is not the run's, for a run that only the run CSV names: the marker was switched in before the
    /// run's clock started. If switches were lost, a wait that began long before may be the idle one, with the run's own lost; if none were
    /// lost, the measuring thread had no processor that long.
    /// </summary>
    /// <param name="hasLosses">Whether the recording lost switches.</param>
    public RunEvidence WithoutIdleWait(bool hasLosses)
    {
        if (Marks.NotBefore is null || MarkerWait is not { } wait)
            return this;
        var isIdle =
            Wait.SwitchedIn <= Marks.ClockStarted
            || (hasLosses && wait.Start < Marks.ClockStarted - (Clock.TicksPerSecond * RunMarks.MaxStartMs / 1000));
        return isIdle ? this with { Wait = Wait with { SwitchedOut = null, Readied = null, SwitchedIn = null } } : this;
    }
}

/// <summary>
/// The wait of a marker thread for one run, from the kernel's switches and the runtime's events. Times in ticks, null when not seen.
/// </summary>
internal readonly record struct MarkerThreadWait
{
    public long? EventStart { get; init; }

    public long? EventStop { get; init; }

    public long? SwitchedOut { get; init; }

    public long? Readied { get; init; }

    /// <summary>The thread that readied the marker.</summary>
    public long? ReadiedBy { get; init; }

    public long? SwitchedIn { get; init; }

    public RunSpan? UntilReadied => RunSpan.Of(SwitchedOut, Readied);

    public RunSpan? UntilSwitchedIn => RunSpan.Of(SwitchedOut, SwitchedIn);

    public RunSpan? ByEvents => RunSpan.Of(EventStart, EventStop);
}

/// <summary>A time span.</summary>
/// <param name="Start">Start in ticks.</param>
/// <param name="Stop">End in ticks.</param>
internal readonly record struct RunSpan(long Start, long Stop)
{
    public static RunSpan? Of(long? start, long? stop) =>
        start is { } begin && stop is { } end && end > begin ? new RunSpan(begin, end) : null;
}
