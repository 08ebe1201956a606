using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Tests.Extraction;

/// <summary>Decisions depend on contents and names, and not on the order in which contents become known.</summary>
public sealed class ExtractPlanTests
{
    [Fact]
    public void Decisions_do_not_depend_on_the_order_in_which_contents_become_known()
    {
        (string Name, string Digest, long Bytes)[] units =
        [
            ("/a", "x", 10),
            ("/b", "x", 10),
            ("/c", "y", 10),
            ("/d", "z", 20),
            ("/e", "y", 10),
            ("/f", "w", 30),
            ("/g", "old-h", 40),
            ("/h", "v", 40),
        ];
        StoredTrace[] stored = [Stored("/f", "w"), Stored("/g", "old-g"), Stored("/h", "old-h"), Stored("/0", "z"), Stored("/x", "y")];
        var expected = new Dictionary<string, UnitStep>
        {
            ["/a"] = UnitStep.Ready,
            ["/b"] = UnitStep.Duplicate,
            ["/c"] = UnitStep.Ready, // takes the name from /x, which sorts later
            ["/d"] = UnitStep.Known, // as /0
            ["/e"] = UnitStep.Duplicate,
            ["/f"] = UnitStep.Known,
            ["/g"] = UnitStep.Ready,
            ["/h"] = UnitStep.Ready,
        };
        var random = new Random(1);
        for (var round = 0; round < 200; round++)
        {
            var plan = Plan(units, stored);
            var order = units.ToArray();
            random.Shuffle(order);
            foreach (var unit in order)
                Know(plan, unit.Name, unit.Digest);
            Assert.Equal(expected, plan.Units.ToDictionary(unit => unit.Unit.Path, unit => unit.Step));
        }
    }

    [Fact]
    public void What_has_another_trace_of_the_same_size_before_it_waits_for_that()
    {
        var plan = Plan([("/a", "x", 10), ("/b", "x", 10), ("/c", "y", 11)], []);

        Know(plan, "/b", "x");
        Know(plan, "/c", "y");

        Assert.Equal(
            [UnitStep.Waiting, UnitStep.Hashed, UnitStep.Ready],
            plan.Units.OrderBy(unit => unit.Unit.Path, StringComparer.Ordinal).Select(unit => unit.Step)
        );
    }

    [Fact]
    public void A_name_whose_content_changes_does_not_count_as_there()
    {
        // The contents of two names were exchanged.
        var plan = Plan([("/a", "y", 1), ("/b", "x", 1)], [Stored("/a", "x"), Stored("/b", "y")]);

        Know(plan, "/b", "x");
        Know(plan, "/a", "y");

        Assert.All(plan.Units, unit => Assert.Equal(UnitStep.Ready, unit.Step));
    }

    [Fact]
    public void What_failed_is_there_unless_it_is_to_be_tried_again()
    {
        StoredTrace[] stored = [Stored("/a", "x") with { Status = StoredTrace.Failed }];
        foreach (var (retry, step) in ((bool, UnitStep)[])[(false, UnitStep.Known), (true, UnitStep.Ready)])
        {
            var plan = Plan([("/a", "x", 1)], stored, retry);
            Know(plan, "/a", "x");
            Assert.Equal(step, plan.Units[0].Step);
        }
    }

    [Fact]
    public void The_largest_come_first()
    {
        var plan = Plan([("/a", "x", 1), ("/b", "y", 3), ("/c", "z", 2)], []);

        Assert.Equal("/b", plan.Next()!.Unit.Path);
    }

    private static void Know(ExtractPlan plan, string name, string digest)
    {
        var unit = plan.Units.Single(unit => unit.Unit.Path == name);
        (unit.Step, unit.Content) = (UnitStep.Hashed, new TraceContent(digest, unit.Bytes));
        plan.Decide();
    }

    private static ExtractPlan Plan((string Name, string Digest, long Bytes)[] units, StoredTrace[] stored, bool retry = false) =>
        new(
            [.. units.Select((unit, index) => new UnitState(index, new TraceUnit(unit.Name, TraceFormat.Etl), unit.Bytes))],
            new StoredContents(stored),
            new ExtractOptions(),
            retry
        );

    private static StoredTrace Stored(string name, string digest)
    {
        var key = TraceContent.Key(digest, "");
        return new StoredTrace
        {
            Trace = TraceContent.NameOf(key),
            ContentHash = key,
            Name = name,
            Status = StoredTrace.Extracted,
            Format = "etl",
            Bytes = 1,
        };
    }
}
