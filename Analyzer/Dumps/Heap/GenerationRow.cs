namespace EtwSerializerProfiler.Dumps.Heap;

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
