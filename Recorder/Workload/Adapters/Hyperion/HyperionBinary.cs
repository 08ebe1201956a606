using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using Hyperion;
using HyperionSerializer = Hyperion.Serializer;

namespace EtwSerializerProfiler.Adapters.Hyperion;

/// <summary>Hyperion, the successor of Wire, for polymorphic graphs.</summary>
/// <remarks>
/// Hyperion writes fields, including private ones, and each type name once per graph. It tracks references if configured, as in
/// SerializerTests. By default it refuses dangerous types (DisallowUnsafeTypes). It supports ISerializable, so types that rely on it behave
/// as with BinaryFormatter. 0.12.2 (2022) is the last version.
/// </remarks>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
[SuiteSerializer("Hyperion", DataFormat.Binary, Library = "Hyperion", TracksReferences = true)]
public sealed class HyperionBinary<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly HyperionSerializer _serializer = new(
        SerializerOptions.Default.WithPreserveObjectReferences(settings.ReferenceTracking).WithKnownTypes(settings.KnownTypes)
    );

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.Serialize(graph, stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => _serializer.Deserialize<TGraph>(stream);
}
