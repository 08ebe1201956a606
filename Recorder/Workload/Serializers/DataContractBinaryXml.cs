using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Xml;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractSerializer, writing the .NET binary XML format.</summary>
/// <param name="settings">Reference tracking uses PreserveObjectReferences; known types are passed to the serializer.</param>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class DataContractBinaryXml<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly DataContractSerializer _serializer = DataContractSettings.Construct(typeof(TGraph), settings);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        using var writer = XmlDictionaryWriter.CreateBinaryWriter(stream, dictionary: null, session: null, ownsStream: false);
        _serializer.WriteObject(writer, graph);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        // Not disposed, because the binary reader cannot leave the stream open; it owns nothing else.
        var reader = XmlDictionaryReader.CreateBinaryReader(stream, XmlDictionaryReaderQuotas.Max);
        return (TGraph?)_serializer.ReadObject(reader);
    }
}
