namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// A thread has suspended the others and begins a collection (GCTriggered, on the thread that needs it: GCStart is without a stack, and the server collector writes it on a thread of its own);
/// a view, valid during the call.
/// </summary>
public readonly ref struct CollectionTriggered
{
    /// <summary>When and which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}
