using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Html;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>The sentences on top of the page.</summary>
public sealed class HeadlineTests
{
    [Fact]
    public void The_fastest_is_so_many_times_faster_than_the_slowest()
    {
        var headline = Headlines(("Quick", 1000, 6), ("Middle", 2000, 6), ("Slow", 4000, 6))[0];

        Assert.Equal("Serialize, 1000 objects", headline.Title);
        Assert.Equal("Quick is 4.0 × faster than Slow, the slowest of 3.", headline.Sentences[0]);
        Assert.Equal("1.002 ms and 4.002 ms are the medians of 6 runs of Quick and Slow.", headline.Sentences[1]);
        Assert.Contains("Quick and 2 others allocate 4.0 B per object.", headline.Sentences);
    }

    /// <summary>Several allocate as little as the text shows: all of them are the least.</summary>
    [Fact]
    public void Equal_allocations_are_named_together()
    {
        var trace = new SyntheticTrace();
        foreach (var (id, name, bytes) in ((int, string, long)[])[(1, "One", 4000), (2, "Other", 4010), (3, "Third", 8000)])
            trace.Run(
                id,
                id * 10_000,
                (id * 10_000) + 1000,
                identity: SyntheticTrace.Identity(name, number: 1),
                measurement: SyntheticTrace.Measurement(id * 10_000, (id * 10_000) + 1000, bytes)
            );

        Assert.Contains(
            "One and Other allocate least, 4.0 B per object, Third most, 8.0 B.",
            MadeUpReport.Build(trace).Page.Headlines[0].Sentences
        );
    }

    /// <summary>The fourth headline says how many rows lacked a processor; here the number that ranks the row suffices.</summary>
    [Fact]
    public void A_row_that_lacked_a_processor_has_its_CPU_time()
    {
        var trace = new SyntheticTrace()
            .SwitchIn(900, SyntheticTrace.Main)
            .Run(1, 1000, 3000)
            .SwitchOut(1500, SyntheticTrace.Main, preempted: true)
            .SwitchIn(2500, SyntheticTrace.Main);

        Assert.EndsWith(" takes 1.002 ms of CPU time.", MadeUpReport.Build(trace).Page.Headlines[0].Sentences[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(500, 99_999, "One writes the smallest data, 500 B, Other the largest, 99999 B.")]
    [InlineData(762_984, 7_578_011, "One writes the smallest data, 0.76 MB, Other the largest, 7.58 MB.")]
    public void Sizes_of_data_are_in_megabytes_where_bytes_have_too_many_digits(long one, long other, string expected)
    {
        var trace = new SyntheticTrace();
        foreach (var (id, name, bytes) in ((int, string, long)[])[(1, "One", one), (2, "Other", other)])
            trace.Run(
                id,
                id * 10_000,
                (id * 10_000) + 1000,
                identity: SyntheticTrace.Identity(name, number: 1),
                measurement: SyntheticTrace.Measurement(id * 10_000, (id * 10_000) + 1000, data: bytes)
            );

        Assert.Contains(expected, MadeUpReport.Build(trace).Page.Headlines[0].Sentences);
    }

    [Fact]
    public void What_is_noise_is_called_so() =>
        Assert.Equal("No difference beyond noise between One and Other.", Headlines(("One", 1000, 6), ("Other", 1001, 6))[0].Sentences[0]);

    [Fact]
    public void Two_runs_are_too_few() =>
        Assert.Equal(
            "Quick is ahead of Slow, but the runs are too few to rule out noise.",
            Headlines(("Quick", 1000, 2), ("Slow", 4000, 2))[0].Sentences[0]
        );

    [Fact]
    public void A_single_serializer_has_its_time() =>
        Assert.Equal("Only takes 1.002 ms, the median of 3 runs.", Headlines(("Only", 1000, 3))[0].Sentences[0]);

    /// <summary>A share is reported when there are enough samples; its text is that of the causes report.</summary>
    [Fact]
    public void The_causes_of_the_slowest_are_reported()
    {
        const ulong Entry = 0x1000,
            Set = 0x3000,
            Libc = 0x7000_0000;
        var trace = new SyntheticTrace()
            .Module("/app/esp-workload.dll", 1)
            .Module("/fx/System.Private.CoreLib.dll", 3)
            .Map(1, Libc, "/lib/libc.so.6")
            .Code(1, Entry, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Read", 1, module: 1)
            .Code(1, Set, "System.Reflection.FieldInfo", "SetValue", 5, module: 3);
        for (var run = 0; run < 4; run++)
        {
            var start = 100_000 + (100_000 * run);
            trace.Run(
                run + 1,
                start,
                start + 50_000,
                identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize, number: run + 1)
            );
            for (var sample = 0; sample < 10; sample++)
                trace.Sample(start + 100 + (1000 * sample), 1, 0, sample < 7 ? [Set + 8, Entry + 8, Libc + 8] : [Entry + 16, Libc + 8]);
        }

        var (_, report) = MadeUpReport.Build(trace);
        Assert.Contains("XmlSerializer's CPU time: 70.0 % reflection, 30.0 % its own code (40 samples).", report.Headlines[0].Sentences);
    }

    [Fact]
    public void Missing_runs_and_lost_events_are_said()
    {
        var trace = new SyntheticTrace { Lost = 7 }
            .Run(1, 1000, 3000)
            .Run(2, 5000, 7000, wait: false);

        Assert.Equal(
            ["Undisturbed, but incomplete.", "Runs missing: 1; events lost: 7.", "1 of 2 runs found; 7 events lost."],
            MadeUpReport.Build(trace).Page.Headlines[^1].Sentences.Take(3)
        );
    }

    /// <summary>Runs of each serializer in turn, 1 µs apart; their marks come 2 µs late.</summary>
    private static IReadOnlyList<Headline> Headlines(params (string Name, double Us, int Runs)[] serializers)
    {
        var trace = new SyntheticTrace();
        var id = 0;
        double time = 1000;
        foreach (var (name, us, runs) in serializers)
        {
            for (var run = 1; run <= runs; run++)
            {
                trace.Run(++id, time, time + us + (run % 3 - 1), late: 0, identity: SyntheticTrace.Identity(name, number: run));
                time += us + 1000;
            }
        }

        return MadeUpReport.Build(trace).Page.Headlines;
    }
}
