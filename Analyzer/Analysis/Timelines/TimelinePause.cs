namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>A pause for a collection.</summary>
/// <param name="StartMs">When the threads began to be suspended, in ms of the timeline.</param>
/// <param name="Ms">How long they were.</param>
/// <param name="Generation">Generation of the collection that began in it, the highest of several; null when none did: the second pause of a background collection.</param>
public readonly record struct TimelinePause(double StartMs, double Ms, int? Generation);
