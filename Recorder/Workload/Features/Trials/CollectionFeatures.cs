using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Collections, arrays and dictionaries.</summary>
internal static class CollectionFeatures
{
    private const string Group = "Collections";

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<CollectionData.Lists>(
            "null-list",
            Group,
            "null and empty list",
            "A null List<int> is read as null and an empty one as empty.",
            () => new() { Null = null, Empty = [] }
        ),
        new RoundTripFeature<CollectionData.Interfaces>(
            "list-interface",
            Group,
            "IList<int>",
            "A property declared as IList<int> holds a List<int>.",
            () =>
                new()
                {
                    Items = new List<int> { 7, 8 },
                }
        ),
        new RoundTripFeature<CollectionData.Bytes>(
            "bytes",
            Group,
            "byte[]",
            "A byte array with every byte.",
            () => new() { Items = [.. Enumerable.Range(0, 256).Select(value => (byte)value)] }
        ),
        new RoundTripFeature<CollectionData.Jagged>(
            "jagged",
            Group,
            "jagged array",
            "An int[][] with an empty row.",
            () =>
                new()
                {
                    Items =
                    [
                        [1, 2],
                        [],
                        [3],
                    ],
                }
        ),
        new RoundTripFeature<CollectionData.MultiDimensional>(
            "multi-dimensional",
            Group,
            "int[,]",
            "An array of two dimensions, 2 × 3.",
            () =>
                new()
                {
                    Items = new[,]
                    {
                        { 1, 2, 3 },
                        { 4, 5, 6 },
                    },
                },
            SameShape
        ),
        Keys<CollectionData.ByText>(
            "key-string",
            "Dictionary<string, …>",
            "A dictionary whose keys are strings, one with a blank, a quote and a bracket.",
            () =>
                new()
                {
                    Items = new() { ["a"] = 1, ["b \"<"] = 2 },
                }
        ),
        Keys<CollectionData.ByNumber>(
            "key-int",
            "Dictionary<int, …>",
            "A dictionary whose keys are numbers.",
            () =>
                new()
                {
                    Items = new() { [1] = "one", [-2] = "two" },
                }
        ),
        Keys<CollectionData.ByDay>(
            "key-enum",
            "Dictionary<enum, …>",
            "A dictionary whose keys are members of an enum.",
            () =>
                new()
                {
                    Items = new() { [ValueData.Day.Monday] = "one", [ValueData.Day.Sunday] = "seven" },
                }
        ),
        Keys<CollectionData.ByTime>(
            "key-date-time",
            "Dictionary<DateTime, …>",
            "A dictionary whose keys are DateTime values of kind Utc with 100 ns.",
            () =>
                new()
                {
                    Items = new()
                    {
                        [new DateTime(2024, 5, 6, 7, 8, 9, DateTimeKind.Utc).AddTicks(1_234_567)] = "one",
                        [new DateTime(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc)] = "two",
                    },
                }
        ),
        Keys<CollectionData.ByObject>(
            "key-class",
            "Dictionary<class, …>",
            "A dictionary whose keys are objects of a class.",
            () =>
                new()
                {
                    Items = new() { [new() { Id = 1 }] = "one", [new() { Id = 2 }] = "two" },
                }
        ),
    ];

    private static RoundTripFeature<T> Keys<T>(string key, string title, string how, Func<T> create)
        where T : class => new(key, Group, title, how, create);

    private static string? SameShape(CollectionData.MultiDimensional expected, CollectionData.MultiDimensional actual)
    {
        if (actual.Items is null)
            return "the array is null";
        if (actual.Items.GetLength(0) != 2 || actual.Items.GetLength(1) != 3)
            return FormattableString.Invariant($"the array is {actual.Items.GetLength(0)} × {actual.Items.GetLength(1)}");
        return expected.Items!.Cast<int>().SequenceEqual(actual.Items.Cast<int>()) ? null : "an item differs";
    }
}
