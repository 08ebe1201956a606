namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A file was mapped as code into the process.</summary>
/// <param name="At">When and where.</param>
/// <param name="Start">First address.</param>
/// <param name="Length">Bytes.</param>
/// <param name="FileOffset">Offset of the first byte in the file.</param>
/// <param name="Path">Path; <c>//anon</c> and names in brackets are not files.</param>
/// <param name="BuildId">Build id of the file (GNU note) in hexadecimal, empty when unknown.</param>
public readonly record struct FileMapping(EventAt At, ulong Start, ulong Length, ulong FileOffset, string Path, string BuildId)
{
    /// <summary>PDB file of an image of Windows; null when the trace does not say.</summary>
    public PdbReference? Pdb { get; init; }

    /// <summary>Whether the trace itself names the file's code: it was made of a recording (<c>esp-analyze export</c>).</summary>
    public bool IsExported { get; init; }
}
