using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using SpanJson;

namespace EtwSerializerProfiler.Adapters.SpanJson;

/// <summary>SpanJson, writing and reading UTF-8 with its default resolver.</summary>
/// <remarks>
/// Streams are served by SerializeAsync and DeserializeAsync only; as in the classic suite they are waited for. The default resolver leaves out members that are null. Version 4.2.1 has
/// builds for .NET 6 and .NET 8, none for .NET Framework. References are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("SpanJson", DataFormat.Text, Library = "SpanJson")]
public sealed class SpanJsonText<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
#pragma warning disable CA2012 // waited for at once; allocating a task for it would be charged to the serializer
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => JsonSerializer.Generic.Utf8.SerializeAsync(graph, stream).GetAwaiter().GetResult();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => JsonSerializer.Generic.Utf8.DeserializeAsync<TGraph>(stream).GetAwaiter().GetResult();
#pragma warning restore CA2012
}
