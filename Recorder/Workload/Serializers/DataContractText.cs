using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractSerializer, writing text XML.</summary>
public sealed class DataContractText : TypedSerializer<BookShelf>
{
    private readonly DataContractSerializer _serializer = new(typeof(BookShelf));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => _serializer.WriteObject(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => (BookShelf?)_serializer.ReadObject(stream);
}
