using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MessagePack;

namespace EtwSerializerProfiler.Adapters.MessagePack;

/// <summary>MessagePack-CSharp with its standard resolver: formatters emitted at run time, members by number.</summary>
/// <remarks>
/// The suite's data has no attributes of the library. The resolver accepts DataContract and DataMember instead of MessagePackObject and
/// Key, with DataMember.Order as the key's number (see DynamicObjectResolver in its source). Without an Order it writes names. The suite's
/// Order values are the numbers from 0 of SerializerTests. Uses the simplest call with default options:
/// MessagePackSerializer.Serialize(stream, graph). The library cannot track references.
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
