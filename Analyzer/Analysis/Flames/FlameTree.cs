using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Flames;

/// <summary>The call tree of the measured runs of a serializer and test, over all object counts.</summary>
/// <param name="Runs">What the runs have in common; its object count is 0.</param>
/// <param name="Samples">CPU samples.</param>
/// <param name="Ticks">CPU time they stand for, in ticks.</param>
/// <param name="Nodes">Callers before what they call, the callees of one caller by inclusive time.</param>
/// <param name="NodesTotal">Nodes there are; more than <paramref name="Nodes"/> when the lightest were left out.</param>
/// <param name="CutSamples">Samples with deeper stacks than a tree can have.</param>
public sealed record FlameTree(SummaryKey Runs, long Samples, long Ticks, IReadOnlyList<FlameNode> Nodes, int NodesTotal, long CutSamples);
