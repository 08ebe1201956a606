using System.Runtime.CompilerServices;
using System.Text.Json;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>System.Text.Json with metadata and write code generated at compile time.</summary>
public sealed class SystemTextJsonSourceGen : TypedSerializer<BookShelf>
{
    private readonly BookShelfJsonContext _context = new(new JsonSerializerOptions());

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => JsonSerializer.Serialize(stream, graph, _context.BookShelf);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => JsonSerializer.Deserialize(stream, _context.BookShelf);
}
