namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>A file of a trace.</summary>
/// <param name="Name">Its name in the recording's folder, with slashes; empty for a trace that is one file, whatever it is called.</param>
/// <param name="Path">Where it is.</param>
/// <param name="Bytes">Its size.</param>
public readonly record struct UnitFile(string Name, string Path, long Bytes);
