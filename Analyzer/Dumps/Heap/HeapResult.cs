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
