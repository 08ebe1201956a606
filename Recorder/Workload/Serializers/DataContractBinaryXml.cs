using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Xml;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractSerializer, writing the .NET binary XML format.</summary>
public sealed class DataContractBinaryXml : TypedSerializer<BookShelf>
{
    private readonly DataContractSerializer _serializer = new(typeof(BookShelf));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph)
    {
        using var writer = XmlDictionaryWriter.CreateBinaryWriter(stream, dictionary: null, session: null, ownsStream: false);
        _serializer.WriteObject(writer, graph);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream)
    {
        // Not disposed: the binary reader has no way to leave the stream open, and holds nothing else.
        var reader = XmlDictionaryReader.CreateBinaryReader(stream, XmlDictionaryReaderQuotas.Max);
        return (BookShelf?)_serializer.ReadObject(reader);
    }
}
