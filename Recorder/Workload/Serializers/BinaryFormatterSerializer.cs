using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Formatters.Binary;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>BinaryFormatter, from its compatibility package since .NET 9. It is unsafe for data of others; here it reads only what it wrote itself.</summary>
public sealed class BinaryFormatterSerializer : TypedSerializer<BookShelf>
{
#pragma warning disable SYSLIB0011, CA2300, CA2301 // the obsolete serializer is what is measured
    private readonly BinaryFormatter _serializer = new();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, BookShelf graph) => _serializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override BookShelf? Read(Stream stream) => (BookShelf)_serializer.Deserialize(stream);
#pragma warning restore SYSLIB0011, CA2300, CA2301
}
