using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>The BCL's DataContractSerializer, writing text XML.</summary>
/// <param name="settings">Reference tracking uses PreserveObjectReferences; known types are passed to the serializer.</param>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class DataContractText<TGraph>(SerializerSettings settings) : TypedSerializer<TGraph>
    where TGraph : class
{
    private readonly DataContractSerializer _serializer = DataContractSettings.Construct(typeof(TGraph), settings);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => _serializer.WriteObject(stream, graph);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => (TGraph?)_serializer.ReadObject(stream);
}
