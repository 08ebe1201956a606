namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A garbage collection began (GCStart).</summary>
/// <param name="At">When and where.</param>
/// <param name="Number">Number of the collection in its process, from 1.</param>
/// <param name="Generation">Generation collected: 0, 1 or 2.</param>
/// <param name="Reason">Reason as the runtime numbers it: 0 small-object budget, 1 induced, 4 large-object budget …</param>
/// <param name="Kind">Blocking, background, or foreground during a background collection.</param>
public readonly record struct CollectionStarted(EventAt At, int Number, int Generation, int Reason, CollectionKind Kind);
