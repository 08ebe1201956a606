using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class SeededOrderTests
{
    private static readonly int[] s_items = [.. Enumerable.Range(0, 10)];

    [Fact]
    public void A_seed_gives_the_same_order_everywhere_and_none_changes_nothing()
    {
        // Fixed expectations: with a different order in another version or runtime, a printed seed would be worthless.
        Assert.Equal("4 2 8 1 9 3 0 6 7 5", string.Join(' ', new SeededOrder(1).Shuffle(s_items)));
        Assert.Equal("9 8 3 2 4 6 1 7 5 0", string.Join(' ', new SeededOrder(2).Shuffle(s_items)));
        Assert.Equal(s_items, new SeededOrder(SuiteOptions.NoSeed).Shuffle(s_items));
        Assert.All(Enumerable.Range(0, 100), _ => Assert.InRange(SuiteOptions.NewSeed(), 1, 1_000_000));
    }

    [Fact]
    public void Every_item_comes_to_every_place_as_often()
    {
        var counts = new int[10, 10];
        for (var seed = 1; seed <= 10_000; seed++)
        {
            var shuffled = new SeededOrder(seed).Shuffle(s_items);
            for (var place = 0; place < 10; place++)
                counts[place, shuffled[place]]++;
        }

        // 1,000 expected, standard deviation 30; the seeds are fixed, so it cannot fail by chance.
        Assert.All(counts.Cast<int>(), count => Assert.InRange(count, 850, 1_150));
    }

    [Fact]
    public void A_plan_repeats_by_its_seed_and_each_operation_has_an_order_of_its_own()
    {
        var all = SerializerRegistry.For("", []).Where(serializer => serializer.PluginPath.Length == 0).ToList();
        var listed = all.Select(serializer => serializer.Name).ToList();
        IReadOnlyList<string> Names(int? seed, string operation) =>
            [
                .. RunPlan
                    .Of(new SuiteOptions { Seed = seed, Tests = [SuiteTest.Serialize, SuiteTest.Deserialize, SuiteTest.FirstCall] }, all)
                    .Series.Where(series => series.Operation == operation)
                    .Select(series => series.Serializer.Name)
                    .Distinct(),
            ];

        Assert.Equal(listed, Names(null, "Serialize"));
        Assert.Equal(listed, Names(SuiteOptions.NoSeed, "Deserialize"));
        Assert.Equal(Names(5, "Deserialize"), Names(5, "Deserialize"));
        string[] operations = ["Serialize", "Deserialize", "Construct", "FirstSerialize", "FirstDeserialize"];
        Assert.Equal(5, operations.Select(operation => string.Join(' ', Names(5, operation))).Distinct().Count());
        Assert.All(operations, operation => Assert.Equal(listed.Order(), Names(5, operation).Order()));
        Assert.Equal(["(runtime)"], Names(5, "StartRuntime"));
    }
}
