using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MsgPack.Serialization;

namespace EtwSerializerProfiler.Adapters.MsgPackCli;

/// <summary>MsgPack.Cli with the serializer that its default context generates.</summary>
/// <remarks>
/// The serializer comes from MessagePackSerializer.Get, as in SerializerTests. The default context caches generated serializers, so a
/// second instance in a process starts warm. Members of a DataContract are written as arrays in the order of DataMember.Order, otherwise by
/// name. Version 1.0.1 (2019) is the last stable one. References are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("MsgPack.Cli", DataFormat.Binary, Library = "MsgPack")]
public sealed class MsgPackCli<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly MessagePackSerializer<TGraph> _serializer = MessagePackSerializer.Get<TGraph>();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Pack(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => _serializer.Unpack(stream);
}
