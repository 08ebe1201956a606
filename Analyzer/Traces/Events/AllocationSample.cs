namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An object that the allocation sampler picked (event 303, .NET 10 and later); a view, valid during the call.</summary>
public readonly ref struct AllocationSample
{
    /// <summary>When and where.</summary>
    public required EventAt At { get; init; }

    /// <summary>Size of the object.</summary>
    public required long ObjectBytes { get; init; }

    /// <summary>Heap.</summary>
    public AllocationKind Kind { get; init; }

    /// <summary>Type of the object; empty when it is not told.</summary>
    public ReadOnlySpan<char> Type { get; init; }

    /// <summary>Managed return addresses, leaf first; empty when there are none or they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}
