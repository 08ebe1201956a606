namespace EtwSerializerProfiler.Dumps.Heap;

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
