using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>
/// Whether references to one object still refer to one object after reading. The opt-in is reference tracking, for serializers that support
/// it.
/// </summary>
internal static class ReferenceFeatures
{
    /// <summary>Name of the table.</summary>
    public const string Group = "References";

    /// <summary>Number of objects in the deep graph.</summary>
    public const int Depth = 10_000;

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<ReferenceData.Pair>(
            "same-object",
            Group,
            "same object twice",
            "Two properties refer to one object, also after reading.",
            SameObject,
            OneObject
        )
        {
            OptIn = FeatureOptIn.ReferenceTracking,
        },
        new RoundTripFeature<ReferenceData.Node>(
            "cycle",
            Group,
            "cycle",
            "An object refers to a second one, which refers to the first.",
            Cycle,
            Ring
        )
        {
            OptIn = FeatureOptIn.ReferenceTracking,
        },
        new SharedStringFeature(),
        new SharedObjectFeature(),
        new RoundTripFeature<ReferenceData.Node>(
            "depth",
            Group,
            "depth 10,000",
            "A chain of 10,000 objects, each the only property of the one before, on a thread with 1 MB of stack.",
            Chain,
            SameChain
        ),
    ];

    private static ReferenceData.Pair SameObject()
    {
        var item = new ReferenceData.Item { Text = "one" };
        return new ReferenceData.Pair { First = item, Second = item };
    }

    private static string? OneObject(ReferenceData.Pair expected, ReferenceData.Pair actual)
    {
        if (actual.First?.Text != expected.First!.Text || actual.Second?.Text != expected.Second!.Text)
            return "a reference was lost";
        return ReferenceEquals(actual.First, actual.Second) ? null : "one object is read as two";
    }

    private static ReferenceData.Node Cycle()
    {
        var first = new ReferenceData.Node { Id = 1 };
        first.Next = new ReferenceData.Node { Id = 2, Next = first };
        return first;
    }

    private static string? Ring(ReferenceData.Node expected, ReferenceData.Node actual)
    {
        if (actual.Id != expected.Id || actual.Next?.Id != expected.Next!.Id)
            return "the second object was lost";
        return actual.Next.Next is null ? "the reference back is null"
            : ReferenceEquals(actual.Next.Next, actual) ? null
            : "the reference back leads to another object";
    }

    private static ReferenceData.Node Chain()
    {
        ReferenceData.Node? next = null;
        for (var id = Depth; id >= 1; id--)
            next = new ReferenceData.Node { Id = id, Next = next };
        return next!;
    }

    private static string? SameChain(ReferenceData.Node expected, ReferenceData.Node actual)
    {
        ReferenceData.Node? node = actual;
        for (var id = 1; id <= Depth; id++, node = node.Next)
        {
            if (node is null)
                return FormattableString.Invariant($"only {Plural.Of(id - 1, "object", "N0")} came back");
            if (node.Id != id)
                return FormattableString.Invariant($"object {id:N0} has number {node.Id}");
        }

        return null;
    }
}
