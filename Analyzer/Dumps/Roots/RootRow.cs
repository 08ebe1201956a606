namespace EtwSerializerProfiler.Dumps.Roots;

/// <summary>Sampled objects of a type with equal paths from a root.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Bytes">Bytes of all its objects.</param>
/// <param name="Samples">Sampled objects of this row.</param>
/// <param name="Root">What the path begins at: a static field, a thread's stack, a handle, the finalizers' queue; null when no path was found.</param>
/// <param name="Path">Types on a shortest path from the root to the object, those in a row that are equal as one with their number; null when no path was found.</param>
/// <param name="Length">Objects on the path of the first of them, the sample included; null when no path was found.</param>
public sealed record RootRow(string Type, long Bytes, int Samples, string? Root, string? Path, int? Length);
