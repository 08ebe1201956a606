namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Objects of a type that handles pin.</summary>
/// <param name="Type">Full name of the type.</param>
/// <param name="Handles">Handles that pin them.</param>
/// <param name="Count">Objects.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="Generations">Where they lie, the most frequent first.</param>
public sealed record PinnedRow(string Type, long Handles, long Count, long Bytes, string Generations);
