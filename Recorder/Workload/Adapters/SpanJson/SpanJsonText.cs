using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using SpanJson;

namespace EtwSerializerProfiler.Adapters.SpanJson;

/// <summary>SpanJson, writing and reading UTF-8 with its default resolver.</summary>
/// <remarks>
/// Only SerializeAsync and DeserializeAsync support streams; as in SerializerTests the caller waits for them. The default resolver omits
/// null members. Version 4.2.1 has builds for .NET 6 and .NET 8, none for .NET Framework. References are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("SpanJson", DataFormat.Text, Library = "SpanJson")]
public sealed class SpanJsonText<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
#pragma warning disable CA2012 // awaited at once; a task would be an allocation on the serializer's account
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) =>
        JsonSerializer.Generic.Utf8.SerializeAsync(graph, stream).GetAwaiter().GetResult();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => JsonSerializer.Generic.Utf8.DeserializeAsync<TGraph>(stream).GetAwaiter().GetResult();
#pragma warning restore CA2012
}
