using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class TracePartTests
{
    [Fact]
    public void Names_of_own_code_stand_between_range_and_events()
    {
        var path = TracePart.With(TracePart.WithMyCode("a.nettrace#from=2,to=5", ["Contoso", "#Shop.Core"]), "My-App/Begin,End");

        var (paths, part) = TracePart.Of([path]);

        Assert.Equal("a.nettrace#from=2,to=5,mine=Contoso+#Shop.Core,runs=My-App/Begin,End", path);
        Assert.Equal(["a.nettrace"], paths);
        Assert.Equal([new NamePattern("Contoso", Exact: false), new NamePattern("Shop.Core", Exact: true)], part.MyCode);
        Assert.Equal((2.0, 5.0), (part.Range!.From!.Value.TotalSeconds, part.Range.To!.Value.TotalSeconds));
        Assert.NotNull(part.Events);
    }

    [Fact]
    public void A_path_alone_names_no_own_code()
    {
        var (paths, part) = TracePart.Of(["a.nettrace", TracePart.WithMyCode("b.nettrace", ["Contoso"])]);

        Assert.Equal(["a.nettrace", "b.nettrace"], paths);
        Assert.Equal([new NamePattern("Contoso", Exact: false)], part.MyCode);
        Assert.Equal(("b.nettrace", "#mine=Contoso"), TracePart.Divide("b.nettrace#mine=Contoso"));
        Assert.Empty(TracePart.Of(["a.nettrace"]).Part.MyCode);
    }
}
