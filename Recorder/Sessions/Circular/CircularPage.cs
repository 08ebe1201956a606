namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>A page of a <see cref="CircularMemory"/>.</summary>
/// <param name="offset">Offset in the memory's file, if it has one.</param>
internal sealed class CircularPage(long offset)
{
    /// <summary>Offset in the memory's file, if it has one.</summary>
    public long Offset { get; } = offset;

    /// <summary>The content; null while only the file has it.</summary>
    public byte[]? Bytes { get; set; }

    /// <summary>Whether the file has the content.</summary>
    public bool IsStored { get; set; }
}
