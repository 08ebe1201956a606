using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MessagePack;

namespace EtwSerializerProfiler.Adapters.MessagePack;

/// <summary>MessagePack-CSharp with its standard resolver, compressed.</summary>
/// <remarks>
/// Uses Lz4BlockArray as recommended by the documentation: blocks of limited size, so that neither side needs one large array. The library
/// has its own LZ4.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("MessagePackLZ4", DataFormat.Binary, Library = "MessagePack")]
public sealed class MessagePackLz4<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly MessagePackSerializerOptions _options = MessagePackSerializerOptions.Standard.WithCompression(
        MessagePackCompression.Lz4BlockArray
    );

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => MessagePackSerializer.Serialize(stream, graph, _options);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => MessagePackSerializer.Deserialize<TGraph>(stream, _options);
}
