using ZeroFormatter;

namespace EtwSerializerProfiler.Adapters.ZeroFormatter;

/// <summary>One object of the graph.</summary>
[ZeroFormattable]
public class ZeroFormatterBook
{
    /// <summary>1-based number of the book on its shelf.</summary>
    [Index(0)]
    public virtual int Id { get; set; }

    /// <summary>Title.</summary>
    [Index(1)]
    public virtual string Title { get; set; } = "";

    /// <summary>Extra bytes; null for none.</summary>
    [Index(2)]
    public virtual byte[]? Payload { get; set; }
}
