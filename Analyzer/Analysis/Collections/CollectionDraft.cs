using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>What has been heard of a collection. Times in ticks.</summary>
/// <param name="started">Its begin.</param>
/// <param name="trigger">What triggered it.</param>
internal sealed class CollectionDraft(GcStarted started, CollectionTriggers.Trigger trigger)
{
    public GcStarted Started { get; } = started;

    public CollectionTriggers.Trigger Trigger { get; } = trigger;

    public long PauseTicks { get; set; }

    public long PauseInRunsTicks { get; set; }

    public long? BytesBefore { get; set; }

    public long? BytesAfter { get; set; }

    public long? PromotedBytes { get; set; }
}
