using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>What the phases have read of a run, for measures to take their values from.</summary>
/// <param name="Evidence">Its marks and its marker's wait.</param>
/// <param name="Tally">What lies in the window.</param>
/// <param name="Window">Begin and end.</param>
/// <param name="Details">What is recorded with the events.</param>
/// <param name="WasRecorded">Whether events of a kind were recorded up to the run's end.</param>
internal sealed record CollectedRun(RunEvidence Evidence, RunTally Tally, RunWindow Window, EventDetails Details, Func<EventKinds, bool> WasRecorded)
{
    /// <summary>What the program itself measured; null when it measured nothing.</summary>
    public RunTruth? SelfMeasurement => Evidence.Marks.SelfMeasurement;

    /// <summary>The program's own start and stop, unless the window was taken from them: comparing the two would say nothing.</summary>
    public RunSpan? ComparableClock => Window.Delimiter.IsProgramsOwn ? null : Evidence.OwnClock;

    /// <summary>GCs by the program's own count.</summary>
    public GcCounts? OwnGcs => SelfMeasurement is { Gen0: >= 0, Gen1: >= 0, Gen2: >= 0 } counts ? new GcCounts(counts.Gen0, counts.Gen1, counts.Gen2) : null;

    /// <summary>GCs by events, else by the program's own count.</summary>
    public GcCounts? Gcs => Has(EventKinds.Gc) ? Tally.Gcs : OwnGcs;

    /// <summary>Allocated bytes by events, and which of them.</summary>
    public (double Bytes, AllocationSource Source)? AllocatedByEvents =>
        Has(EventKinds.AllocationSamples) ? (Tally.SampledBytes, AllocationSource.Sampled)
        : Has(EventKinds.AllocationTicks) ? (Tally.TickBytes, AllocationSource.Ticks)
        : null;

    /// <summary>Allocated bytes by the program's own count, else by events.</summary>
    public (double Bytes, AllocationSource Source)? Allocated => SelfMeasurement is { AllocatedBytes: >= 0 } exact ? (exact.AllocatedBytes, AllocationSource.Truth) : AllocatedByEvents;

    /// <summary>Whether it is known when threads were on processors: by context switches, or by the threads' clocks.</summary>
    public bool HasProcessorTime => Has(EventKinds.ContextSwitches) || Has(EventKinds.ThreadClocks);

    /// <summary>Whether that says for all of the window what the measuring thread did.</summary>
    public bool IsMeasuringThreadKnown => HasProcessorTime && Tally.OnCpuTicks + Tally.WaitTicks + Tally.ReadyTicks == Window.Stop - Window.Start;

    /// <summary>Whether events of all these kinds were recorded; none are always.</summary>
    public bool Has(EventKinds kinds) => kinds == EventKinds.None || WasRecorded(kinds);

    /// <summary>Ticks in ms.</summary>
    public double Milliseconds(long ticks) => Evidence.Clock.ToMilliseconds(ticks);

    /// <summary>Ticks in µs.</summary>
    public double Microseconds(long ticks) => Evidence.Clock.ToMicroseconds(ticks);
}
