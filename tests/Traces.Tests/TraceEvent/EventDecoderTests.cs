using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces.Contents;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

[NeedsRealTraces]
public sealed class EventDecoderTests
{
    [Fact]
    public void Events_have_the_fields_that_their_provider_gave_them()
    {
        var events = Read("primitive-types.etl.zip", new EventQuery { Provider = "solar*" });

        Assert.Equal(5, events.Count);
        Assert.Equal("Mercury", Field(events[0], "string_type"));
        Assert.Equal(false, Field(events[0], "boolean_type"));
        Assert.Equal(-204L, Field(events[0], "int64_type"));
        Assert.Equal(2942.306, events[0].TimeMs, 3);
        Assert.Equal((33984, 21768, 2, 78), (events[0].ProcessId, events[0].ThreadId, events[0].Processor, events[0].PayloadBytes));
    }

    [Fact]
    public void Provider_event_process_range_and_number_restrict()
    {
        var all = Read(
            "net.4.5.2.x64.etl.zip",
            new EventQuery
            {
                Provider = "Microsoft-Windows-DotNETRuntime",
                Events = ["GC/AllocationTick"],
                Process = "test.x64",
            }
        );
        var byId = Read(
            "net.4.5.2.x64.etl.zip",
            new EventQuery
            {
                Provider = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4",
                Events = ["10"],
                Process = "3676",
            }
        );
        var range = Read(
            "net.4.5.2.x64.etl.zip",
            new EventQuery
            {
                Provider = "*DotNETRuntime",
                Events = ["10"],
                From = TimeSpan.FromSeconds(4),
                To = TimeSpan.FromSeconds(5),
            }
        );
        var few = Read(
            "net.4.5.2.x64.etl.zip",
            new EventQuery
            {
                Provider = "*DotNETRuntime",
                Events = ["10"],
                Top = 7,
            }
        );

        Assert.InRange(all.Count, 10_000, 10_382);
        Assert.Equal(all.Select(item => item.Ticks), byId.Select(item => item.Ticks));
        Assert.All(range, item => Assert.InRange(item.TimeMs, 4000, 5000));
        Assert.Equal(all.Count(item => item.TimeMs is >= 4000 and <= 5000), range.Count(item => item.ProcessId == 3676));
        Assert.Equal(7, few.Count);
    }

    [Fact]
    public void What_is_not_there_is_an_error_that_lists_what_is()
    {
        var error = Assert.Throws<NoEventMatchesException>(() =>
            Read("gcevents.etl.zip", new EventQuery { Provider = "Microsoft-Windows-DotNETRuntime", Events = ["Exception*"] })
        );

        Assert.Contains("GC/AllocationTick", error.Message, StringComparison.Ordinal);
    }

    private static object? Field(DecodedEvent item, string name) => Assert.Single(item.Fields, field => field.Name == name).Value;

    private static List<DecodedEvent> Read(string trace, EventQuery query)
    {
        var events = new List<DecodedEvent>();
        EventDecoder.Read([RealTraces.Get(trace)], query, events.Add);
        return events;
    }
}
