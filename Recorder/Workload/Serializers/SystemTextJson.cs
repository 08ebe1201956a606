using System.Runtime.CompilerServices;
using System.Text.Json;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>System.Text.Json with metadata collected by reflection.</summary>
public sealed class SystemTextJson : TypedSerializer<BookShelf>
{
    // Options of its own, not the default ones, so that a new instance starts with an empty metadata cache.
    private readonly JsonSerializerOptions _options = new();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => JsonSerializer.Serialize(stream, graph, _options);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => JsonSerializer.Deserialize<BookShelf>(stream, _options);
}
