using EtwSerializerProfiler.Workload.Data;
using ServiceStack.Text;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>JsonSerializer of ServiceStack.Text.</summary>
public sealed class ServiceStackText : TypedSerializer<BookShelf>
{
    /// <inheritdoc/>
    protected override void Serialize(Stream stream, BookShelf graph) => JsonSerializer.SerializeToStream(graph, stream);

    /// <inheritdoc/>
    protected override BookShelf? Read(Stream stream) => JsonSerializer.DeserializeFromStream<BookShelf>(stream);
}
