using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Json;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractJsonSerializer.</summary>
/// <param name="settings">Known types are passed to the serializer; it cannot track references.</param>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class DataContractJson<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly DataContractJsonSerializer _serializer =
        settings.KnownTypes.Count == 0 ? new(typeof(TGraph)) : new(typeof(TGraph), settings.KnownTypes);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.WriteObject(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => (TGraph?)_serializer.ReadObject(stream);
}
