namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>What lies on the heap.</summary>
/// <param name="Types">Types, the most bytes first; gaps are no type.</param>
/// <param name="Generations">Generations that have memory.</param>
public sealed record HeapResult(IReadOnlyList<TypeRow> Types, IReadOnlyList<GenerationRow> Generations)
{
    /// <summary>Objects.</summary>
    public long Count => Types.Sum(type => type.Count);

    /// <summary>Their bytes.</summary>
    public long Bytes => Types.Sum(type => type.Bytes);

    /// <summary>Gaps in bytes.</summary>
    public long FreeBytes => Generations.Sum(generation => generation.FreeBytes);

    /// <summary>Objects that handles pin; null when they could not be read.</summary>
    public IReadOnlyList<PinnedRow>? Pinned { get; init; }

    /// <summary>Objects with a finalizer, those that wait for it first; null when they could not be read.</summary>
    public IReadOnlyList<FinalizerRow>? Finalizers { get; init; }

    /// <summary>Places where no object was where one had to be; the walk went on behind them.</summary>
    public long DamagedPlaces { get; init; }

    /// <summary>Bytes of the heap that were passed over: damaged, or not in the dump.</summary>
    public long UnreadBytes { get; init; }

    /// <summary>Whether the process was stopped between collections: within one, objects lie about that are none.</summary>
    public bool IsWalkable { get; init; } = true;
}

/// <summary>Objects of a type.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Module">File name of its assembly; empty when it has none.</param>
/// <param name="Counts">Objects by <see cref="HeapGeneration"/>.</param>
/// <param name="BytesByGeneration">Their bytes.</param>
public sealed record TypeRow(string Type, string Module, IReadOnlyList<long> Counts, IReadOnlyList<long> BytesByGeneration)
{
    /// <summary>Objects.</summary>
    public long Count { get; } = Counts.Sum();

    /// <summary>Their bytes, without what they refer to.</summary>
    public long Bytes { get; } = BytesByGeneration.Sum();

    /// <summary>Objects in a generation.</summary>
    public long this[HeapGeneration generation] => Counts[(int)generation];
}

/// <summary>Objects of a type that handles pin.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Handles">Handles that pin them.</param>
/// <param name="Count">Objects.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="Generations">Where they lie, the most frequent first.</param>
public sealed record PinnedRow(string Type, long Handles, long Count, long Bytes, string Generations);

/// <summary>Objects of a type with a finalizer.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Registered">Objects whose finalizer is to run when nothing refers to them any more.</param>
/// <param name="Ready">Objects that nothing refers to and that wait for the finalizer's thread.</param>
/// <param name="ReadyBytes">Bytes of these.</param>
public sealed record FinalizerRow(string Type, long Registered, long Ready, long ReadyBytes);

/// <summary>A generation of the heap.</summary>
/// <param name="Generation">Which one.</param>
/// <param name="Segments">Its segments or regions; of generations that share one each counts it.</param>
/// <param name="CommittedBytes">Memory committed for it; null where generations share a segment.</param>
/// <param name="Count">Objects.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="FreeCount">Gaps between objects.</param>
/// <param name="FreeBytes">Their bytes.</param>
public sealed record GenerationRow(HeapGeneration Generation, int Segments, long? CommittedBytes, long Count, long Bytes, long FreeCount, long FreeBytes)
{
    /// <summary>Fragmentation: share of the gaps in what objects and gaps take, in percent; null when there is neither.</summary>
    public double? FreePercent => Bytes + FreeBytes > 0 ? 100.0 * FreeBytes / (Bytes + FreeBytes) : null;
}
