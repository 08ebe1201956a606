using ZeroFormatter;

namespace EtwSerializerProfiler.Adapters.ZeroFormatter;

/// <summary>Root of the graph.</summary>
[ZeroFormattable]
public class ZeroFormatterShelf
{
    /// <summary>Title of the shelf.</summary>
    [Index(0)]
    public virtual string Title { get; set; } = "";

    /// <summary>The books.</summary>
    [Index(1)]
    public virtual List<ZeroFormatterBook> Books { get; set; } = [];
}
