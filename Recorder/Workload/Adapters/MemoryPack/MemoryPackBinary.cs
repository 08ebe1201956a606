using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MemoryPack;

namespace EtwSerializerProfiler.Adapters.MemoryPack;

/// <summary>MemoryPack with the code that its generator writes when the types are compiled.</summary>
/// <remarks>
/// It asks for classes of its own: [MemoryPackable] and partial. Streams are served by SerializeAsync and DeserializeAsync only; as in the classic suite they are waited for, and complete
/// at once on a stream in memory, whose array DeserializeAsync reads in place. It has builds for .NET Standard 2.1 and .NET 7 and later, none for .NET Framework.
/// </remarks>
[SuiteSerializer("MemoryPack", DataFormat.Binary, Library = "MemoryPack.Core", Model = typeof(MemoryPackModel))]
public sealed class MemoryPackBinary : TypedSerializer<MemoryPackShelf>
{
#pragma warning disable CA2012 // waited for at once; allocating a task for it would be charged to the serializer
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, MemoryPackShelf graph) => MemoryPackSerializer.SerializeAsync(stream, graph).GetAwaiter().GetResult();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override MemoryPackShelf? Read(Stream stream) => MemoryPackSerializer.DeserializeAsync<MemoryPackShelf>(stream).GetAwaiter().GetResult();
#pragma warning restore CA2012
}
