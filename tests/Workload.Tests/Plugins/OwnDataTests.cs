using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>A user's own data type and serializer, as docs/own-data.md shows them; tests/SamplePlugin is that example.</summary>
public sealed class OwnDataTests
{
    private static readonly string s_sample = typeof(OrderBook).Assembly.Location;

    [Fact]
    public void Own_data_is_served_by_every_generic_serializer_and_by_the_plugins_own()
    {
        var serializers = SerializerRegistry.For(s_sample, []);

        Assert.Equal(
            [
                "XmlSerializer",
                "DataContract",
                "DataContractBinaryXml",
                "DataContractJson",
                "BinaryFormatter",
                "Newtonsoft.Json",
                "SystemTextJson",
                "ServiceStack.Text",
                "Busy",
                "Forgetful",
                "Lines",
            ],
            serializers
                .Where(serializer => serializer.PluginPath.Length == 0 || serializer.PluginPath == s_sample)
                .Select(serializer => serializer.Name)
        );
        Assert.All(serializers, serializer => Assert.Equal("OrderBookModel", serializer.CreateModel().GetType().Name));
    }

    [Theory]
    [InlineData("Newtonsoft.Json")]
    [InlineData("SystemTextJson")]
    [InlineData("Lines")]
    public void Round_trips_of_own_data_are_compared(string name)
    {
        var serializer = SerializerRegistry.For(s_sample, []).Single(serializer => serializer.Name == name);

        Assert.Null(serializer.WhyUnavailable());
        Assert.Equal(
            name == "Lines" ? "EtwSerializerProfiler.SamplePlugin"
                : name == "SystemTextJson" ? "System.Text.Json"
                : name,
            serializer.Library
        );
    }

    [Fact]
    public void The_samples_slowdown_takes_the_share_that_it_is_asked_for()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The thread's CPU clock is too coarse here.");
        var graph = new OrderBookModel().Create(20_000, 0);
        Environment.SetEnvironmentVariable("ESP_SAMPLE_BUSY_PERCENT", "300");
        Contract.Serializer slow;
        try
        {
            slow = new Busy<OrderBook>();
        }
        finally
        {
            Environment.SetEnvironmentVariable("ESP_SAMPLE_BUSY_PERCENT", null);
        }

        var plain = new Busy<OrderBook>();
        using var stream = new MemoryStream();
        foreach (var serializer in (Contract.Serializer[])[slow, plain])
            TakenBy(serializer); // compiles it

        // Four times the CPU time. Other load on the machine slows both sides alike, and over nine calls never one of them by a factor of
        // 2.5.
        var (ofSlow, ofPlain) = (Enumerable.Range(0, 9).Sum(_ => TakenBy(slow)), Enumerable.Range(0, 9).Sum(_ => TakenBy(plain)));
        Assert.True(ofSlow > 1.5 * ofPlain, $"{ofSlow} ns against {ofPlain} ns");
        Assert.Null(new OrderBookModel().Difference(graph, Read(slow)));
        Assert.Null(new OrderBookModel().Difference(graph, Read(plain)));

        long TakenBy(Contract.Serializer serializer)
        {
            stream.SetLength(0);
            var start = ThreadTime.Now();
            serializer.Serialize(stream, graph);
            return ThreadTime.Now() - start;
        }

        object Read(Contract.Serializer serializer)
        {
            stream.Position = 0;
            return serializer.Deserialize(stream);
        }
    }

    [Fact]
    public void What_the_serializer_loses_is_named()
    {
        var model = OwnData.Find(s_sample);
        var changed = model.Create(3, 0);
        var orders = (System.Collections.IList)changed.GetType().GetProperty("Orders")!.GetValue(changed)!;
        orders.RemoveAt(1);

        Assert.Equal("Orders has 2 items, not 3", model.Difference(model.Create(3, 0), changed));
    }

    [Theory]
    [InlineData("!OrderBookModel", null)]
    [InlineData("!OrderBook", null)]
    [InlineData("!#Order", "unknown data '#Order'")]
    public void A_type_can_be_named(string type, string? error)
    {
        if (error is null)
            Assert.Equal("OrderBook", OwnData.Find(s_sample + type).GraphType.Name);
        else
            Assert.Contains(error, Assert.Throws<PluginException>(() => OwnData.Find(s_sample + type)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_assembly_is_an_error_that_names_it()
    {
        Assert.Contains(
            "/no/such.dll: the file does not exist",
            Assert.Throws<PluginException>(() => OwnData.Find("/no/such.dll")).Message,
            StringComparison.Ordinal
        );
        Assert.Throws<PluginException>(() => SerializerRegistry.For("", ["/no/such.dll"]));
    }

    [Fact]
    public void A_file_that_is_not_an_assembly_is_an_error_that_names_it()
    {
        using var folder = new TempFolder();
        var file = folder.Write("text.dll", "no assembly");

        Assert.Contains(file, Assert.Throws<PluginException>(object? () => OwnData.Find(file)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_assembly_without_data_says_what_it_lacks() =>
        Assert.Contains(
            "no public class that derives from",
            Assert.Throws<PluginException>(() => OwnData.Find(typeof(Contract.Serializer).Assembly.Location)).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void The_example_in_the_documentation_is_this_plugin_and_shorter_than_35_lines()
    {
        var root = TestFiles.Root;
        var source = File.ReadAllText(Path.Combine(root, "tests/SamplePlugin/OrderBook.cs")).Trim();
        var docs = File.ReadAllText(Path.Combine(root, "docs/own-data.md"));

        Assert.Contains($"```csharp\n{source}\n```", docs, StringComparison.Ordinal);
        Assert.InRange(source.Split('\n').Length, 1, 34);
    }
}
