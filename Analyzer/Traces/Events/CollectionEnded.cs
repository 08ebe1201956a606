namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A garbage collection ended (GCEnd).</summary>
/// <param name="At">When and where.</param>
/// <param name="Number">Number of the collection in its process, from 1.</param>
/// <param name="Generation">Generation collected.</param>
public readonly record struct CollectionEnded(EventAt At, int Number, int Generation);
