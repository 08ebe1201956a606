namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The PDB file that an image was linked with, as the image says (its debug directory, type RSDS).</summary>
/// <param name="FileName">Name of the file, maybe with the folder it was written to.</param>
/// <param name="Guid">What tells it from all others.</param>
/// <param name="Age">How often the linker has written it.</param>
public sealed record PdbReference(string FileName, Guid Guid, int Age);
