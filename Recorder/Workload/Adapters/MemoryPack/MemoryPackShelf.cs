using MemoryPack;

namespace EtwSerializerProfiler.Adapters.MemoryPack;

/// <summary>Root of the graph.</summary>
[MemoryPackable]
public sealed partial class MemoryPackShelf
{
    /// <summary>Title of the shelf.</summary>
    public string Title { get; set; } = "";

    /// <summary>The books.</summary>
    public List<MemoryPackBook> Books { get; set; } = [];
}
