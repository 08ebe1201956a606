using System.Runtime.CompilerServices;
using System.Xml;
using System.Xml.Serialization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's XmlSerializer, writing text XML.</summary>
/// <param name="settings">Known types are passed to the serializer.</param>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class XmlText<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly XmlSerializer _serializer =
        settings.KnownTypes.Count == 0 ? new(typeof(TGraph)) : new(typeof(TGraph), [.. settings.KnownTypes]);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var reader = XmlReader.Create(stream); // leaves the stream open by default
        return (TGraph?)_serializer.Deserialize(reader);
    }
}
