using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Workload.Data;
using Newtonsoft.Json;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Newtonsoft.Json, streaming through JsonTextWriter and JsonTextReader.</summary>
public sealed class NewtonsoftJson : TypedSerializer<BookShelf>
{
    private readonly JsonSerializer _serializer = JsonSerializer.Create();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph)
    {
        using var text = new StreamWriter(stream, leaveOpen: true);
        using var json = new JsonTextWriter(text);
        _serializer.Serialize(json, graph);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream)
    {
        using var text = new StreamReader(stream, leaveOpen: true);
        using var json = new JsonTextReader(text);
        return _serializer.Deserialize<BookShelf>(json);
    }
}
