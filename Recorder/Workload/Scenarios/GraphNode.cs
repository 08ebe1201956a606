using System.Runtime.Serialization;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A link of a chain or a ring.</summary>
[Serializable]
[DataContract]
public sealed class GraphNode
{
    /// <summary>Position in the chain, from 1.</summary>
    [DataMember]
    public int Id { get; set; }

    /// <summary>The next link; null at the end of a chain.</summary>
    [DataMember]
    public GraphNode? Next { get; set; }

    /// <summary>A chain of this many links.</summary>
    public static GraphNode Chain(int depth)
    {
        GraphNode? node = null;
        for (var id = depth; id >= 1; id--)
            node = new GraphNode { Id = id, Next = node };
        return node ?? throw new ArgumentOutOfRangeException(nameof(depth), depth, "A chain has at least one link.");
    }

    /// <summary>A ring of two links.</summary>
    public static GraphNode Ring()
    {
        var first = Chain(2);
        first.Next!.Next = first;
        return first;
    }

    /// <summary>The difference of a chain after reading; null for none.</summary>
    public static string? ChainDifference(GraphNode? chain, int depth)
    {
        var links = 0;
        for (var node = chain; node is not null && links <= depth; node = node.Next)
        {
            links++;
            if (node.Id != links)
                return string.Create(System.Globalization.CultureInfo.InvariantCulture, $"link {links} was read as {node.Id}");
        }

        return links == depth
            ? null
            : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{links} of {Plural.Of(depth, "link")} read");
    }

    /// <summary>The difference of a ring after reading; null for none.</summary>
    public static string? RingDifference(GraphNode? ring) =>
        ring?.Next is null ? "the ring was cut"
        : ReferenceEquals(ring.Next.Next, ring) ? null
        : "the ring was read as a chain";
}

/// <summary>Chains as data of the suite, so that every general serializer supports them.</summary>
public sealed class ChainModel : GraphModel<GraphNode>
{
    /// <inheritdoc/>
    protected override GraphNode CreateGraph(int objectCount, int payloadBytes) => GraphNode.Chain(objectCount);
}
