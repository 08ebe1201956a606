using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>What announces a run: its marks in the trace, its row of the run CSV. Times in ticks of the trace's clock, null when not seen.</summary>
/// <param name="RunId">Number of the run in its process.</param>
internal sealed record RunMarks(int RunId)
{
    /// <summary>How long a run takes to begin: from MarkerWaiting to the start of its clock, on a machine with more threads than processors.</summary>
    public const int MaxStartMs = 100;

    public RunIdentity? Identity { get; init; }

    /// <summary>What the program itself measured; null when neither RunStop nor the run CSV has it.</summary>
    public RunTruth? SelfMeasurement { get; init; }

    /// <summary>The iteration of BenchmarkDotNet that it is; null for a marked run. It has no marker.</summary>
    public RunIteration? Iteration { get; init; }

    /// <summary>Whether events that the user named delimit it. It has no marker.</summary>
    public bool IsOfEvents { get; init; }

    /// <summary>The thread that wrote MarkerWaiting.</summary>
    public long MarkerThread { get; init; }

    /// <summary>The thread that wrote the run's marks; null when none was seen.</summary>
    public long? MeasuringThread { get; init; }

    public long? MarkerWaiting { get; init; }

    /// <summary>Earliest time at which the marker can begin to wait for a run that only the run CSV names: the end of the run before. Null for a marked run.</summary>
    public long? NotBefore { get; init; }

    /// <summary>Earliest time at which a wait of the marker can be this run's; null when nothing announces it.</summary>
    public long? WaitsFrom => MarkerWaiting ?? NotBefore;

    public long? MarkStart { get; init; }

    public long? MarkClockStopped { get; init; }

    /// <summary>When the launcher started the run's process, by the launcher's reading of the runs' clock.</summary>
    public long? LaunchedTicks { get; init; }

    public bool Stopped { get; init; }

    public bool InCsv { get; init; }

    /// <summary>When the run's clock started, by its mark or else, for a run that only the run CSV names, by its self-measurement; <see cref="long.MinValue"/> when neither is known.</summary>
    public long ClockStarted => MarkStart ?? (NotBefore is not null ? SelfMeasurement?.StartTicks : null) ?? long.MinValue;

    /// <summary>
    /// When the run's clock stopped, by its self-measurement or else by its mark; <see cref="long.MaxValue"/> when neither is known. The measuring thread readies the
    /// marker before it writes the mark: by then the marker may wait again.
    /// </summary>
    public long ClockStopped(long ticksPerSecond) =>
        SelfMeasurement is { } own && own.TicksPerSecond == ticksPerSecond ? own.StopTicks : MarkClockStopped ?? long.MaxValue;

    /// <summary>
    /// Whether the run began before the interval that a circular recording kept. A run without any begin in the trace did; one without MarkerWaiting did
    /// when its clock started so early in the interval that the mark may lie before it.
    /// </summary>
    public bool BeginsBefore(KeptInterval kept)
    {
        if (MarkerWaiting is { } waiting)
            return waiting <= kept.StartTicks;
        var begin = SelfMeasurement is { } own && own.TicksPerSecond == kept.TicksPerSecond ? own.StartTicks : MarkStart;
        return begin is null || begin <= kept.StartTicks + (kept.TicksPerSecond * MaxStartMs / 1000);
    }

    /// <summary>Whether the run had not ended when the snapshot of a circular recording was asked for.</summary>
    public bool EndsAfter(KeptInterval kept)
    {
        if (!kept.IsSnapshot)
            return false;
        var end = SelfMeasurement is { } own && own.TicksPerSecond == kept.TicksPerSecond ? own.StopTicks : MarkClockStopped;
        return end is null || end >= kept.StopTicks;
    }
}

/// <summary>A run that is an iteration of BenchmarkDotNet.</summary>
/// <param name="Kind">Measured, or made before.</param>
/// <param name="Operations">Operations in it.</param>
internal sealed record RunIteration(RunKind Kind, long Operations);
