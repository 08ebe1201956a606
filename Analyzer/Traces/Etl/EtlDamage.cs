namespace EtwSerializerProfiler.Etl;

/// <summary>A part of a file that could not be read.</summary>
/// <param name="Path">The file; with the archive before it, when it lies in one.</param>
/// <param name="Offset">Byte offset of the buffer.</param>
/// <param name="Bytes">Bytes of the buffer (decompressed where it was compressed), or of the gap, that were left out.</param>
/// <param name="Reason">What is wrong.</param>
public sealed record EtlDamage(string Path, long Offset, long Bytes, string Reason)
{
    /// <summary>One line for a warning.</summary>
    public override string ToString() => $"{Path}: offset {Offset}: {Reason}; {Bytes} bytes left out.";
}
