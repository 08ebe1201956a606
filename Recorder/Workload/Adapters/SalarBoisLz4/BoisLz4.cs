using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Salar.Bois.LZ4;

namespace EtwSerializerProfiler.Adapters.SalarBoisLz4;

/// <summary>Bois compressed with LZ4, from the package Salar.Bois.LZ4.</summary>
/// <remarks>
/// Pickle writes the whole graph to an array, compresses it (K4os.Compression.LZ4, level FAST) and writes the result; Unpickle does the
/// reverse. The remarks for "Salar.Bois" apply.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("Salar.Bois.LZ4", DataFormat.Binary, Library = "Salar.Bois.LZ4")]
public sealed class BoisLz4<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly BoisLz4Serializer _serializer = new();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Pickle(graph, stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => _serializer.Unpickle<TGraph>(stream);
}
