using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using ProtoBuf.Meta;

namespace EtwSerializerProfiler.Adapters.ProtobufNet;

/// <summary>protobuf-net with its own model, as in SerializerTests.</summary>
/// <remarks>
/// A separate model starts empty, so constructing the serializer includes learning the types. The suite's data has DataContract and
/// DataMember but no ProtoMember:
/// InferTagFromNameDefault numbers the members from 1 in the order of DataMember.Order and then of their names (see MetaType in its
/// source), so types without an Order work, too. Types without a contract are refused. Since version 3 it cannot track references.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("protobuf-net", DataFormat.Binary, Library = "protobuf-net")]
public sealed class ProtobufNet<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly RuntimeTypeModel _model = RuntimeTypeModel.Create();

    /// <summary>Creates the serializer.</summary>
    public ProtobufNet() => _model.InferTagFromNameDefault = true;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _model.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => _model.Deserialize<TGraph>(stream);
}
