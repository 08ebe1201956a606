namespace EtwSerializerProfiler.Etl;

/// <summary>A damaged part of a file.</summary>
/// <param name="Path">The file; prefixed by the archive if it is in one.</param>
/// <param name="Offset">Byte offset of the buffer.</param>
/// <param name="Bytes">Number of bytes of the buffer (decompressed if it was compressed), or of the gap, that were skipped.</param>
/// <param name="Reason">What is wrong.</param>
public sealed record EtlDamage(string Path, long Offset, long Bytes, string Reason)
{
    /// <summary>One line for a warning.</summary>
    public override string ToString() => $"{Path}: offset {Offset}: {Reason}; {Bytes} bytes skipped.";
}
