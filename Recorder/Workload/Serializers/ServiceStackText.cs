using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Contract;
using ServiceStack.Text;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>JsonSerializer of ServiceStack.Text.</summary>
/// <typeparam name="TGraph">Type of the root object.</typeparam>
public sealed class ServiceStackText<TGraph> : TypedSerializer<TGraph>
    where TGraph : class
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Serialize(Stream stream, TGraph graph) => JsonSerializer.SerializeToStream(graph, stream);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override TGraph? Read(Stream stream) => JsonSerializer.DeserializeFromStream<TGraph>(stream);
}
