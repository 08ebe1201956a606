using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Runs.Marking;

/// <summary>
/// What announces a run: its marks in the trace, its row in the run CSV. Times are in ticks of the trace's clock, null when not seen.
/// </summary>
/// <param name="RunId">Number of the run in its process.</param>
internal sealed record RunMarks(int RunId)
{
    /// <summary>
    /// Maximum time for a run to begin: from MarkerWaiting to the start of its clock, on a machine with more threads than processors.
    /// </summary>
    public const int MaxStartMs = 100;

    public RunIdentity? Identity { get; init; }

    /// <summary>The program's self-measurement; null when neither RunStop nor the run CSV has it.</summary>
    public RunMeasurement? SelfMeasurement { get; init; }

    /// <summary>The BenchmarkDotNet iteration; null for a marked run. An iteration has no marker.</summary>
    public RunIteration? Iteration { get; init; }

    /// <summary>Whether the run is delimited by events that the user named. Such a run has no marker.</summary>
    public bool IsOfEvents { get; init; }

    /// <summary>The thread that wrote MarkerWaiting.</summary>
    public long MarkerThread { get; init; }

    /// <summary>The thread that wrote the run's marks; null when none was seen.</summary>
    public long? MeasuringThread { get; init; }

    public long? MarkerWaiting { get; init; }

    /// <summary>
    /// Earliest start of the marker's wait for a run that only the run CSV names: the end of the previous run. Null for a marked run.
    /// </summary>
    public long? NotBefore { get; init; }

    /// <summary>Earliest time of a marker's wait for this run; null when nothing announces it.</summary>
    public long? WaitsFrom => MarkerWaiting ?? NotBefore;

    public long? MarkStart { get; init; }

    public long? MarkClockStopped { get; init; }

    /// <summary>Launch of the run's process, by the launcher's reading of the runs' clock.</summary>
    public long? LaunchedTicks { get; init; }

    public bool Stopped { get; init; }

    public bool InCsv { get; init; }

    /// <summary>
    /// Start of the run's clock, from its mark or, for a run that only the run CSV names, from its self-measurement;
    /// <see cref="long.MinValue"/> when unknown.
    /// </summary>
    public long ClockStarted => MarkStart ?? (NotBefore is not null ? SelfMeasurement?.StartTicks : null) ?? long.MinValue;

    /// <summary>
    /// Stop of the run's clock, from its self-measurement or else its mark; <see cref="long.MaxValue"/> when unknown. The measuring thread
    /// readies the marker before it writes the mark, so the marker may already wait again by then.
    /// </summary>
    public long ClockStopped(long ticksPerSecond) =>
        SelfMeasurement is { } own && own.TicksPerSecond == ticksPerSecond ? own.StopTicks : MarkClockStopped ?? long.MaxValue;

    /// <summary>
    /// Whether the run began before the interval that a circular recording kept. This holds if the trace has no start of the run. Without
    /// MarkerWaiting, it also holds if the run's clock started so early in the interval that MarkerWaiting may have been before it.
    /// </summary>
    public bool BeginsBefore(KeptInterval kept)
    {
        if (MarkerWaiting is { } waiting)
            return waiting <= kept.StartTicks;
        var begin = SelfMeasurement is { } own && own.TicksPerSecond == kept.TicksPerSecond ? own.StartTicks : MarkStart;
        return begin is null || begin <= kept.StartTicks + (kept.TicksPerSecond * MaxStartMs / 1000);
    }

    /// <summary>Whether the run had not ended when the snapshot of a circular recording was requested.</summary>
    public bool EndsAfter(KeptInterval kept)
    {
        if (!kept.IsSnapshot)
            return false;
        var end = SelfMeasurement is { } own && own.TicksPerSecond == kept.TicksPerSecond ? own.StopTicks : MarkClockStopped;
        return end is null || end >= kept.StopTicks;
    }
}

/// <summary>A run that is a BenchmarkDotNet iteration.</summary>
/// <param name="Kind">Measured, or an earlier stage.</param>
/// <param name="Operations">Number of its operations.</param>
internal sealed record RunIteration(RunKind Kind, long Operations);
