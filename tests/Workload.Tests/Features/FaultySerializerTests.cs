using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Features.Processes;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>A fault affects only its own cell, and the cell says so.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class FaultySerializerTests
{
    [Fact]
    public void A_crash_and_a_loss_are_reported_in_their_cells()
    {
        var cells = Run("Faulty", "nullable", "cycle", "guid", "key-string", "key-int").Cells;

        Assert.Equal(new FeatureCell("yes"), cells["public-properties"]);
        Assert.Equal(new FeatureCell("yes"), cells["nullable"]);
        Assert.StartsWith(FeatureCell.CrashedPrefix, cells["cycle"].Seen, StringComparison.Ordinal);
        Assert.Contains("the test's serializer crashes", cells["cycle"].Detail, StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
            Assert.Equal("crashed: exit code 134", cells["cycle"].Seen);
        Assert.Equal(
            new FeatureCell("no", "Value is 00000000-0000-0000-0000-000000000000, not 00112233-4455-6677-8899-aabbccddeeff"),
            cells["guid"]
        );
        Assert.Equal("no", cells["key-string"].Seen);
        Assert.Contains("more than 512 MB", cells["key-string"].Detail, StringComparison.Ordinal);
        Assert.Equal(new FeatureCell("yes"), cells["key-int"]);
    }

    /// <summary>
    /// A process that answers like a serializer's process and then sleeps for ever: it hangs on any machine, after instant answers.
    /// </summary>
    [Fact]
    public void A_hang_is_reported_in_its_cell_and_the_rest_is_tried_in_another_process()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the process is a shell");
        const string Script =
            """shift 3; for key; do echo "@esp-feature $key"; if [ $key = enum ]; then exec sleep infinity; fi; echo "@esp-feature $key yes "; done""";
        var limit = TimeSpan.FromSeconds(2);
        var runner = new FeatureRunner(new ChildProcess("/bin/sh", ["-c", Script, "sh"], limit), limit);

        var row = Assert.Single(
            runner.Run(
                [SerializerRegistry.All[0]],
                [FeatureRegistry.Plainest, .. ((string[])["nullable", "enum", "guid"]).Select(FeatureRegistry.Of)],
                TestContext.Current.CancellationToken
            )
        );

        Assert.Equal(
            ["yes", "yes", "hung (2 s)", "yes"],
            ((string[])["public-properties", "nullable", "enum", "guid"]).Select(key => row.Cells[key].Seen)
        );
    }

    [Fact]
    public void What_crashes_with_the_plainest_object_is_not_asked_for_more()
    {
        var cells = Run("Crashing", "nullable", "threads").Cells;

        Assert.StartsWith(FeatureCell.CrashedPrefix, cells["public-properties"].Seen, StringComparison.Ordinal);
        Assert.Contains("Stack overflow", cells["public-properties"].Detail, StringComparison.Ordinal);
        Assert.All(
            ["nullable", "threads"],
            key =>
                Assert.Equal(new FeatureCell(FeatureCell.NotTried, $"{cells["public-properties"].Seen} with public properties"), cells[key])
        );
    }

    [Fact]
    public void An_instance_that_threads_cannot_share_and_a_closed_stream_are_seen()
    {
        var cells = Run("Careless", "nullable", "closes-stream", "threads", "format").Cells;

        Assert.Equal(FeatureCell.OwnTypesOnly, cells["nullable"].Seen);
        Assert.Equal("on writing", cells["closes-stream"].Seen);
        Assert.EndsWith(" of 400", cells["threads"].Seen, StringComparison.Ordinal);
        Assert.NotEmpty(cells["threads"].Detail);
        Assert.Equal("text", cells["format"].Seen);
    }

    private static FeatureRow Run(string serializer, params string[] keys)
    {
        // This assembly is a plugin as a user's own would be.
        var description = new Plugin(typeof(FaultySerializerTests).Assembly.Location)
            .Serializers(typeof(BookShelf), () => new BookShelfModel())
            .Single(found => found.Name == serializer);
        return Assert.Single(FeatureProcesses.Run([description], keys));
    }
}
