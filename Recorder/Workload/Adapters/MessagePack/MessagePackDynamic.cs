using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MessagePack;

namespace EtwSerializerProfiler.Adapters.MessagePack;

/// <summary>MessagePack-CSharp with its standard resolver: formatters emitted at run time, members by number.</summary>
/// <remarks>
/// The suite's data has no attributes of the library; the resolver takes DataContract and DataMember for MessagePackObject and Key, and DataMember.Order for the key's number
/// (DynamicObjectResolver of its source). Without an Order it writes names: the classic suite's numbers from 0 are the suite's Order values.
/// The shortest way, default options: MessagePackSerializer.Serialize(stream, graph). It has no tracking of references.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("MessagePack", DataFormat.Binary, Library = "MessagePack")]
public sealed class MessagePackDynamic<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => MessagePackSerializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => MessagePackSerializer.Deserialize<TGraph>(stream);
}
