using System.Runtime.CompilerServices;
using System.Xml;
using System.Xml.Serialization;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's XmlSerializer, writing text XML.</summary>
public sealed class XmlText : TypedSerializer<BookShelf>
{
    private readonly XmlSerializer _serializer = new(typeof(BookShelf));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => _serializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream)
    {
        using var reader = XmlReader.Create(stream); // leaves the stream open unless asked otherwise
        return (BookShelf?)_serializer.Deserialize(reader);
    }
}
