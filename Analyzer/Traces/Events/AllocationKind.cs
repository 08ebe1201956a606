namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Which heap an object was allocated on, as the allocation events number it.</summary>
public enum AllocationKind
{
    /// <summary>Small-object heap: generation 0.</summary>
    Small = 0,

    /// <summary>Large-object heap: 85,000 bytes and more, unless configured otherwise.</summary>
    Large = 1,

    /// <summary>Pinned-object heap (.NET 5 and later).</summary>
    Pinned = 2,
}
