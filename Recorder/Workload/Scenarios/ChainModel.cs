using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Chains as data of the suite, so that every serializer that serves any type can be had for them.</summary>
public sealed class ChainModel : GraphModel<GraphNode>
{
    /// <inheritdoc/>
    protected override GraphNode CreateGraph(int objectCount, int payloadBytes) => GraphNode.Chain(objectCount);
}
