using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>What the passes have read of a run, for measures to take their values from.</summary>
/// <param name="Draft">What the marks tell.</param>
/// <param name="Tally">What lies in the window.</param>
/// <param name="Clock">The process's clock.</param>
/// <param name="Delimiter">What begin and end were taken from.</param>
/// <param name="Start">Begin in ticks.</param>
/// <param name="Stop">End in ticks.</param>
/// <param name="Details">What is recorded with the events.</param>
/// <param name="WasRecorded">Whether events of a kind were recorded up to the run's end.</param>
internal sealed record CollectedRun(RunDraft Draft, RunTally Tally, TraceClock Clock, DelimiterKind Delimiter, long Start, long Stop, EventDetails Details, Func<EventKinds, bool> WasRecorded)
{
    /// <summary>What the program itself says of the run.</summary>
    public RunTruth? Truth => Draft.Truth;

    /// <summary>The program's own start and stop; null when it did not tell them in ticks of the trace's clock.</summary>
    public (long Start, long Stop)? OwnClock =>
        Truth is { } truth && truth.TicksPerSecond == Clock.TicksPerSecond && truth.StopTicks > truth.StartTicks ? (truth.StartTicks, truth.StopTicks) : null;

    /// <summary>The same; null also when the window was taken from it, as comparing the two would say nothing.</summary>
    public (long Start, long Stop)? ComparableClock => Delimiter <= DelimiterKind.MarkerWait ? OwnClock : null;

    /// <summary>Collections by the program's own count.</summary>
    public CollectionCounts? OwnCollections => Truth is { Gen0: >= 0, Gen1: >= 0, Gen2: >= 0 } counts ? new CollectionCounts(counts.Gen0, counts.Gen1, counts.Gen2) : null;

    /// <summary>Collections by events, else by the program's own count.</summary>
    public CollectionCounts? Collections => Has(EventKinds.Gc) ? Tally.Collections : OwnCollections;

    /// <summary>Allocated bytes by events, and which of them.</summary>
    public (double Bytes, AllocationSource Source)? AllocatedByEvents =>
        Has(EventKinds.AllocationSamples) ? (Tally.SampledBytes, AllocationSource.Sampled)
        : Has(EventKinds.AllocationTicks) ? (Tally.TickBytes, AllocationSource.Ticks)
        : null;

    /// <summary>Allocated bytes by the program's own count, else by events.</summary>
    public (double Bytes, AllocationSource Source)? Allocated => Truth is { AllocatedBytes: >= 0 } exact ? (exact.AllocatedBytes, AllocationSource.Truth) : AllocatedByEvents;

    /// <summary>Whether the switches say for all of the window what the measuring thread did.</summary>
    public bool IsMeasuringThreadKnown => Tally.OnCpuTicks + Tally.WaitTicks + Tally.ReadyTicks == Stop - Start;

    /// <summary>Whether events of all these kinds were recorded; none are always.</summary>
    public bool Has(EventKinds kinds) => kinds == EventKinds.None || WasRecorded(kinds);

    /// <summary>Ticks in ms.</summary>
    public double Milliseconds(long ticks) => Clock.ToMilliseconds(ticks);

    /// <summary>Ticks in µs.</summary>
    public double Microseconds(long ticks) => Clock.ToMicroseconds(ticks);
}
