using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Google.Protobuf;

namespace EtwSerializerProfiler.Workload.Serializers.Protobuf;

/// <summary>Google.Protobuf with the message types protoc generates.</summary>
public sealed class GoogleProtobuf : TypedSerializer<BookShelf>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => graph.WriteTo(stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => BookShelf.Parser.ParseFrom(stream);
}
