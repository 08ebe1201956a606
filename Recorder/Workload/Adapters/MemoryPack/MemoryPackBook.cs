using MemoryPack;

namespace EtwSerializerProfiler.Adapters.MemoryPack;

/// <summary>One object of the graph.</summary>
[MemoryPackable]
public sealed partial class MemoryPackBook
{
    /// <summary>1-based number of the book on its shelf.</summary>
    public int Id { get; set; }

    /// <summary>Title.</summary>
    public string Title { get; set; } = "";

    /// <summary>Extra bytes; null for none.</summary>
    public byte[]? Payload { get; set; }
}
