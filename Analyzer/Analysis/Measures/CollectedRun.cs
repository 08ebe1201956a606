using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>Data of a run after all phases, from which measures take their values.</summary>
/// <param name="Evidence">Its marks and its marker's wait.</param>
/// <param name="Tally">Sums inside the window.</param>
/// <param name="Window">Start and stop.</param>
/// <param name="Details">Details recorded with the events.</param>
/// <param name="WasRecorded">Whether events of a kind were recorded up to the run's end.</param>
internal sealed record CollectedRun(
    RunEvidence Evidence,
    RunTally Tally,
    RunWindow Window,
    EventDetails Details,
    Func<EventKinds, bool> WasRecorded
)
{
    /// <summary>The program's self-measurement; null when it has none.</summary>
    public RunMeasurement? SelfMeasurement => Evidence.Marks.SelfMeasurement;

    /// <summary>The program's own start and stop, except if they are the window, where comparing them would mean nothing.</summary>
    public RunSpan? ComparableClock => Window.Delimiter.IsProgramsOwn ? null : Evidence.OwnClock;

    /// <summary>GCs by the program's own count.</summary>
    public GcCounts? OwnGcs =>
        SelfMeasurement is { Gen0: >= 0, Gen1: >= 0, Gen2: >= 0 } counts ? new GcCounts(counts.Gen0, counts.Gen1, counts.Gen2) : null;

    /// <summary>GCs by events, else by the program's own count.</summary>
    public GcCounts? Gcs => Has(EventKinds.Gc) ? Tally.Gcs : OwnGcs;

    /// <summary>Allocated bytes by events, with the kind of event.</summary>
    public (double Bytes, AllocationSource Source)? AllocatedByEvents =>
        Has(EventKinds.AllocationSamples) ? (Tally.SampledBytes, AllocationSource.Sampled)
        : Has(EventKinds.AllocationTicks) ? (Tally.TickBytes, AllocationSource.Ticks)
        : null;

    /// <summary>Allocated bytes by the program's own count, else by events.</summary>
    public (double Bytes, AllocationSource Source)? Allocated =>
        SelfMeasurement is { AllocatedBytes: >= 0 } exact ? (exact.AllocatedBytes, AllocationSource.SelfReported) : AllocatedByEvents;

    /// <summary>Whether the trace shows when threads were on processors: by context switches, or by the threads' clocks.</summary>
    public bool HasProcessorTime => Has(EventKinds.ContextSwitches) || Has(EventKinds.ThreadClocks);

    /// <summary>Whether the measuring thread's activity is known for the whole window.</summary>
    public bool IsMeasuringThreadKnown =>
        HasProcessorTime && Tally.OnCpuTicks + Tally.WaitTicks + Tally.ReadyTicks == Window.Stop - Window.Start;

    /// <summary>Whether the rest of the window divides into waiting and ready time.</summary>
    public bool IsReadyTimeKnown =>
        IsMeasuringThreadKnown && (Has(EventKinds.ContextSwitches) || (Details & EventDetails.NoReadyTime) == 0);

    /// <summary>Whether events of all these kinds were recorded; true for no kinds.</summary>
    public bool Has(EventKinds kinds) => kinds == EventKinds.None || WasRecorded(kinds);

    /// <summary>Converts ticks to ms.</summary>
    public double Milliseconds(long ticks) => Evidence.Clock.ToMilliseconds(ticks);

    /// <summary>Converts ticks to µs.</summary>
    public double Microseconds(long ticks) => Evidence.Clock.ToMicroseconds(ticks);
}
