using System.Runtime.CompilerServices;
using Ceras;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Adapters.Ceras;

/// <summary>Ceras with its default configuration.</summary>
/// <remarks>
/// Ceras supports only arrays. Writing reuses a buffer, as its documentation recommends; reading from a stream copies it first. By default,
/// Ceras serializes public members and always tracks references (PreserveReferences). An instance is for one thread. 4.1.7 (2019) is the
/// last version.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer(
    "Ceras",
    DataFormat.Binary,
    Library = "Ceras",
    OneThreadBecause = "a CerasSerializer is not thread-safe",
    Notes = "Works on arrays, a stream is copied; always tracks references."
)]
public sealed class CerasBinary<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly CerasSerializer _serializer = new();

    /// <summary>The last written bytes; Ceras replaces the array by a longer one when necessary.</summary>
    private byte[]? _buffer;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        var length = _serializer.Serialize(graph, ref _buffer);
        stream.Write(_buffer!, 0, length);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var copy = new MemoryStream();
        stream.CopyTo(copy);
        TGraph? graph = null;
        var offset = 0;
        _serializer.Deserialize(ref graph, copy.GetBuffer(), ref offset, (int)copy.Length);
        return graph;
    }
}
