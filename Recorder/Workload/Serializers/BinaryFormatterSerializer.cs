using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Formatters.Binary;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>
/// BinaryFormatter, from its compatibility package since .NET 9. It is unsafe for untrusted data; here it reads only its own output. It
/// always tracks references.
/// </summary>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class BinaryFormatterSerializer<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
#pragma warning disable SYSLIB0011, CA2300, CA2301 // the obsolete serializer is measured
    private readonly BinaryFormatter _serializer = new();

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Serialize(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => (TGraph)_serializer.Deserialize(stream);
#pragma warning restore SYSLIB0011, CA2300, CA2301
}
