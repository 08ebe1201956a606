namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The heap after a collection (GCHeapStats); comes right behind its GCEnd, on the same thread.</summary>
/// <param name="At">When and where.</param>
/// <param name="HeapBytes">Size of all generations, large and pinned objects included.</param>
/// <param name="PromotedBytes">Bytes that survived the collection in the generations that it collected.</param>
public readonly record struct HeapStatistics(EventAt At, long HeapBytes, long PromotedBytes);
