using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Utf8Json;

namespace EtwSerializerProfiler.Adapters.Utf8Json;

/// <summary>Utf8Json with its default resolver.</summary>
/// <remarks>
/// Reading copies the stream into an array unless it is a MemoryStream with an accessible buffer. Bytes are base64. The project is
/// archived; 1.3.7 (2018) is the last version. References are not tracked.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("Utf8Json", DataFormat.Text, Library = "Utf8Json")]
public sealed class Utf8JsonText<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => JsonSerializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => JsonSerializer.Deserialize<TGraph>(stream);
}
