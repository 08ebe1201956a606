using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Json;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractJsonSerializer.</summary>
public sealed class DataContractJson : TypedSerializer<BookShelf>
{
    private readonly DataContractJsonSerializer _serializer = new(typeof(BookShelf));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => _serializer.WriteObject(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => (BookShelf?)_serializer.ReadObject(stream);
}
