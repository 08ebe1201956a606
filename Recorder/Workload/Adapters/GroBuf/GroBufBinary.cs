using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using GroBuf;
using GroBuf.DataMembersExtracters;
using GroBufSerializer = GroBuf.Serializer;

namespace EtwSerializerProfiler.Adapters.GroBuf;

/// <summary>GroBuf with all fields, as in SerializerTests.</summary>
/// <remarks>
/// GroBuf supports only arrays: reading copies the stream first, writing creates one array. It also writes private fields
/// (AllFieldsExtractor) and empty objects. GroBufOptions.PackReferences tracks references; off by default. It emits code with GrEmit, which
/// needs full trust and cannot run with ahead-of-time compilation.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("GroBuf", DataFormat.Binary, Library = "GroBuf", TracksReferences = true, Notes = "Works on arrays; a stream is copied.")]
public sealed class GroBufBinary<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly GroBufSerializer _serializer = new(
        new AllFieldsExtractor(),
        null,
        GroBufOptions.WriteEmptyObjects | (settings.ReferenceTracking ? GroBufOptions.PackReferences : GroBufOptions.None)
    );

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph)
    {
        var bytes = _serializer.Serialize(graph);
        stream.Write(bytes, 0, bytes.Length);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream)
    {
        using var copy = new MemoryStream();
        stream.CopyTo(copy);
        return _serializer.Deserialize<TGraph>(copy.GetBuffer(), (int)copy.Length);
    }
}
