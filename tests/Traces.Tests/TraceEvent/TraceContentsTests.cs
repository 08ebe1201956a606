using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

[NeedsRealTraces]
public sealed class TraceContentsTests
{
    [Theory]
    [InlineData("net.4.5.2.x64", 179_474)]
    [InlineData("gcevents", 70)]
    [InlineData("primitive-types", 6)]
    public void Counts_are_those_of_Windows(string name, long events)
    {
        var contents = TraceContentsReader.Read([RealTraces.Get(name + ".etl.zip")], byProcess: false);

        Assert.Equal(events, contents.Events);
        Assert.Equal(contents.Etl!.Statistics.Events, contents.Events);

        // TraceLog, which wrote the baselines, omits samples of idle processors and joins stacks with their events: kernel events are
        // counted above.
        var byName = contents
            .Kinds.GroupBy(kind => $"{kind.ProviderName}/{kind.EventName}")
            .ToDictionary(group => group.Key, group => group.Sum(kind => kind.Count));
        foreach (
            var (kind, count) in RealTraces
                .Counts(name + ".baseline.txt")
                .Where(pair =>
                    !pair.Key.StartsWith("Windows Kernel/", StringComparison.Ordinal)
                    && !pair.Key.StartsWith("MSNT_SystemTrace/", StringComparison.Ordinal)
                )
        )
            Assert.True(byName.TryGetValue(kind, out var counted) && counted == count, $"{kind}: {counted} instead of {count}");
    }

    [Fact]
    public void What_the_trace_says_of_its_session_is_reported()
    {
        var contents = TraceContentsReader.Read([RealTraces.Get("net.4.5.2.x64.etl.zip")], byProcess: false);

        var samples = Assert.Single(contents.Kinds, kind => kind is { ProviderName: "Windows Kernel", EventName: "PerfInfo/Sample" });
        Assert.Equal(79_528, samples.Count);
        Assert.Equal(79_528 * 16, samples.PayloadBytes);
        Assert.Equal(79_528 * 32, samples.RecordBytes);
        Assert.Equal(46, samples.Opcode);
        Assert.Null(samples.Id);
        Assert.Equal(1.0, contents.SampleIntervalMs);
        Assert.Equal(8, contents.Etl!.Header.Processors);
        Assert.Equal(0, contents.Etl!.Header.EventsLost);
        Assert.InRange(contents.Clock.ToMilliseconds(contents.LastTime - contents.FirstTime), 10_000, 15_000);
    }

    [Fact]
    public void Processes_are_counted_by_themselves()
    {
        var contents = TraceContentsReader.Read([RealTraces.Get("net.4.5.2.x64.etl.zip")], byProcess: true);

        Assert.Equal(179_474, contents.Events);
        Assert.Equal(
            264,
            contents
                .Kinds.Where(kind => kind is { ProcessName: "Test.x64.exe" or "PerfView.exe", EventName: "GC/Stop" })
                .Sum(kind => kind.Count)
        );
    }

    [Fact]
    public void Several_files_in_an_archive_are_one_trace()
    {
        var contents = TraceContentsReader.Read([RealTraces.Get("diaghub-dotnetcore3.1-win-x64-diagsession.zip")], byProcess: false);

        Assert.True(contents.Files.Count > 1, string.Join(", ", contents.Files));
        Assert.Contains(contents.Kinds, kind => kind.ProviderName == "Windows Kernel");
        Assert.Contains(
            contents.Kinds,
            kind => kind is { ProviderName: "Microsoft-Windows-DotNETRuntime", EventName: "Method/LoadVerbose", Count: > 1000 }
        );
    }

    [Fact]
    public void An_event_that_describes_itself_has_its_own_name()
    {
        var contents = TraceContentsReader.Read([RealTraces.Get("SelfDescribingSingleEvent.etl")], byProcess: false);

        var kind = Assert.Single(contents.Kinds, kind => !kind.IsClassic);
        Assert.Equal(("MySource", "TestEvent", 1), (kind.ProviderName, kind.EventName, kind.Count));
    }
}
