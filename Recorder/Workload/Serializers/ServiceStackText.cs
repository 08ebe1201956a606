using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Workload.Data;
using ServiceStack.Text;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>JsonSerializer of ServiceStack.Text.</summary>
public sealed class ServiceStackText : TypedSerializer<BookShelf>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => JsonSerializer.SerializeToStream(graph, stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => JsonSerializer.DeserializeFromStream<BookShelf>(stream);
}
