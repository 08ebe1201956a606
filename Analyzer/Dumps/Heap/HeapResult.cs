namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Content of the heap.</summary>
/// <param name="Types">Types, most bytes first, without gaps.</param>
/// <param name="Generations">Generations with memory.</param>
public sealed record HeapResult(IReadOnlyList<TypeRow> Types, IReadOnlyList<GenerationRow> Generations)
{
    /// <summary>Number of objects.</summary>
    public long Count => Types.Sum(type => type.Count);

    /// <summary>Their bytes.</summary>
    public long Bytes => Types.Sum(type => type.Bytes);

    /// <summary>Gaps in bytes.</summary>
    public long FreeBytes => Generations.Sum(generation => generation.FreeBytes);

    /// <summary>Objects pinned by handles; null when unreadable.</summary>
    public IReadOnlyList<PinnedRow>? Pinned { get; init; }

    /// <summary>Objects with a finalizer, waiting ones first; null when unreadable.</summary>
    public IReadOnlyList<FinalizerRow>? Finalizers { get; init; }

    /// <summary>Number of places without the expected object; the walk continued after each.</summary>
    public long DamagedPlaces { get; init; }

    /// <summary>Bytes of the heap that were skipped because they are damaged or not in the dump.</summary>
    public long UnreadBytes { get; init; }

    /// <summary>Whether the process was stopped between GCs; during a GC, the heap contains invalid objects.</summary>
    public bool IsWalkable { get; init; } = true;
}

/// <summary>Objects of a type.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Module">File name of its assembly; empty when it has none.</param>
/// <param name="Counts">Number of objects by <see cref="HeapGeneration"/>.</param>
/// <param name="BytesByGeneration">Their bytes.</param>
public sealed record TypeRow(string Type, string Module, IReadOnlyList<long> Counts, IReadOnlyList<long> BytesByGeneration)
{
    /// <summary>Number of objects.</summary>
    public long Count { get; } = Counts.Sum();

    /// <summary>Their bytes, without referenced objects.</summary>
    public long Bytes { get; } = BytesByGeneration.Sum();

    /// <summary>Number of objects in a generation.</summary>
    public long this[HeapGeneration generation] => Counts[(int)generation];
}

/// <summary>Objects of a type that are pinned by handles.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Handles">Number of handles that pin them.</param>
/// <param name="Count">Number of objects.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="Generations">Their generations, most frequent first.</param>
public sealed record PinnedRow(string Type, long Handles, long Count, long Bytes, string Generations);

/// <summary>Objects of a type with a finalizer.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Registered">Number of objects whose finalizer will run when they become unreachable.</param>
/// <param name="Ready">Number of unreachable objects that wait for the finalizer thread.</param>
/// <param name="ReadyBytes">Bytes of the waiting objects.</param>
public sealed record FinalizerRow(string Type, long Registered, long Ready, long ReadyBytes);

/// <summary>A generation of the heap.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Segments">Number of its segments or regions; a shared one counts for each of its generations.</param>
/// <param name="CommittedBytes">Memory committed for it; null where generations share a segment.</param>
/// <param name="Count">Number of objects.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="FreeCount">Number of gaps between objects.</param>
/// <param name="FreeBytes">Their bytes.</param>
public sealed record GenerationRow(
    HeapGeneration Generation,
    int Segments,
    long? CommittedBytes,
    long Count,
    long Bytes,
    long FreeCount,
    long FreeBytes
)
{
    /// <summary>Fragmentation: share of gaps in the sum of objects and gaps, in percent; null when there is neither.</summary>
    public double? FreePercent => Bytes + FreeBytes > 0 ? 100.0 * FreeBytes / (Bytes + FreeBytes) : null;
}
