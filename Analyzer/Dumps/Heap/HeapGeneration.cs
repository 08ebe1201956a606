namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Part of the heap that contains an object.</summary>
public enum HeapGeneration
{
    /// <summary>Youngest objects.</summary>
    Gen0 = 0,

    /// <summary>Survived one GC.</summary>
    Gen1 = 1,

    /// <summary>Survived several GCs.</summary>
    Gen2 = 2,

    /// <summary>Large objects: 85,000 bytes or more.</summary>
    Loh = 3,

    /// <summary>Pinned object heap: arrays that were allocated pinned.</summary>
    Poh = 4,

    /// <summary>Frozen: string literals and other objects that are never collected.</summary>
    Frozen = 5,
}
