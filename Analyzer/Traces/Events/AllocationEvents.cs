namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// Allocation tick (event 10): about 100 KB were allocated on a kind of heap since the last tick; a view, valid during the call.
/// </summary>
public readonly ref struct AllocationTick : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AllocationTicks;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Bytes that the process allocated since the last tick.</summary>
    public required long Bytes { get; init; }

    /// <summary>Heap.</summary>
    public AllocationKind Kind { get; init; }

    /// <summary>Type of the object whose allocation caused the event; empty when missing.</summary>
    public ReadOnlySpan<char> Type { get; init; }

    /// <summary>Size of that object in bytes (version 4 of the event, .NET 6 and later); 0 when missing.</summary>
    public long ObjectBytes { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>An object selected by the allocation sampler (event 303, .NET 10 and later); a view, valid during the call.</summary>
public readonly ref struct AllocationSample : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AllocationSamples;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>Size of the object.</summary>
    public required long ObjectBytes { get; init; }

    /// <summary>Heap.</summary>
    public AllocationKind Kind { get; init; }

    /// <summary>Type of the object; empty when missing.</summary>
    public ReadOnlySpan<char> Type { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when not recorded or not requested.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>Heaps, with the numbers of the allocation events.</summary>
public enum AllocationKind
{
    /// <summary>Small-object heap: generation 0.</summary>
    Small = 0,

    /// <summary>Large-object heap: 85,000 bytes and more, unless configured otherwise.</summary>
    Large = 1,

    /// <summary>Pinned-object heap (.NET 5 and later).</summary>
    Pinned = 2,
}
