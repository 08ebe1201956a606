using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using MemoryPack;

namespace EtwSerializerProfiler.Adapters.MemoryPack;

/// <summary>MemoryPack with the code that its source generator creates.</summary>
/// <remarks>
/// MemoryPack needs types of its own: [MemoryPackable] and partial. Only SerializeAsync and DeserializeAsync support streams. As in
/// SerializerTests the caller waits for them; they complete synchronously on a stream in memory, whose array DeserializeAsync reads in
/// place. There are builds for .NET Standard 2.1 and .NET 7 and later, none for .NET Framework.
/// </remarks>
[SuiteSerializer("MemoryPack", DataFormat.Binary, Library = "MemoryPack.Core", Model = typeof(MemoryPackModel))]
public sealed class MemoryPackBinary : TypedSerializer<MemoryPackShelf>
{
#pragma warning disable CA2012 // awaited at once; a task would be an allocation on the serializer's account
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, MemoryPackShelf graph) =>
        MemoryPackSerializer.SerializeAsync(stream, graph).GetAwaiter().GetResult();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override MemoryPackShelf? Read(Stream stream) =>
        MemoryPackSerializer.DeserializeAsync<MemoryPackShelf>(stream).GetAwaiter().GetResult();
#pragma warning restore CA2012
}
