using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Session;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Contents of .nettrace and perf.data files, as TraceEvent and perf count and decode them.</summary>
public sealed class OtherContentsTests
{
    private static readonly string s_perfData = TestFiles.Data("others/perf-record.data");

    private static readonly Guid s_eventPipe = TraceEventProviders.GetEventSourceGuidFromName("Microsoft-DotNETCore-EventPipe");

    public static TheoryData<string> Files =>
        [
            "net10/alloc.nettrace",
            "net10/clr.nettrace",
            "net10/code.nettrace",
            "unmarked/program.nettrace",
            "others/dotnet-trace.nettrace",
            "others/record-trace.nettrace",
        ];

    [Theory]
    [MemberData(nameof(Files))]
    public void Kinds_have_TraceEvents_names_and_counts(string name)
    {
        var path = TestFiles.Data(name);
        var contents = TraceContentsReader.Read([path], byProcess: false);
        var ids = contents.Kinds.Select(kind => (kind.Provider, kind.Id!.Value)).ToHashSet();
        var theirs = new Dictionary<string, long>();
        Each(
            path,
            data =>
            {
                // Events named by the runtime's GC itself (id 39) have TraceEvent's ids and names; it does not know EventPipe's event on
                // the process.
                var key = !ids.Contains((data.ProviderGuid, (int)data.ID)) ? "GC/DynamicTraceEvent" : data.EventName;
                if (data.ProviderGuid != s_eventPipe)
                    theirs[key] = theirs.GetValueOrDefault(key) + 1;
            }
        );

        var ours = contents
            .Kinds.Where(kind => kind.Provider != s_eventPipe)
            .GroupBy(kind => kind.EventName)
            .ToDictionary(group => group.Key, group => group.Sum(kind => kind.Count));
        Assert.Equal(theirs.OrderBy(pair => pair.Key), ours.OrderBy(pair => pair.Key));
        Assert.Equal((0L, null), (contents.LostEvents, contents.Damage));
        var byProcess = TraceContentsReader.Read([path], byProcess: true);
        Assert.Equal(
            (contents.Events, contents.PayloadBytes, contents.RecordBytes),
            (byProcess.Events, byProcess.PayloadBytes, byProcess.RecordBytes)
        );
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Opcodes_and_tasks_are_those_that_TraceEvent_finds_in_the_file(string name)
    {
        var types = new HashSet<NetTraceEventType>();
        using (var reader = new NetTraceReader(NetTraceLayout.Scan(TestFiles.Data(name))))
        {
            while (reader.TryRead(out var item))
                types.Add(item.Type);
        }

        var described = types
            .Zip(EventDescriptions.Of([.. types]))
            .Where(pair => pair.First.EventId != 0)
            .DistinctBy(pair => (pair.First.Provider, pair.First.EventId, pair.First.Version))
            .ToDictionary(
                pair => (pair.First.Provider, pair.First.EventId, pair.First.Version),
                pair => (pair.Second.Opcode, pair.Second.Task)
            );
        var compared = 0;
        Each(
            TestFiles.Data(name),
            data =>
            {
                if (!described.TryGetValue((data.ProviderGuid, (int)data.ID, data.Version), out var found))
                    return;
                Assert.Equal(((int)data.Opcode, (int)data.Task), found);
                compared++;
            }
        );
        Assert.True(compared > 0 || name.Contains("record-trace", StringComparison.Ordinal));
    }

    [Fact]
    public void Events_are_decoded_in_a_range_of_time_and_of_a_kind()
    {
        var path = TestFiles.Data("net10/clr.nettrace");
        var theirs = new List<(string, double, int)>();
        Each(
            path,
            data =>
            {
                if (data.EventName == "GC/Start" && data.TimeStampRelativeMSec is >= 100 and <= 400)
                    theirs.Add((data.EventName, Math.Round(data.TimeStampRelativeMSec, 3), (int)data.PayloadByName("Depth")));
            }
        );

        var found = Decode(
            [path],
            new EventQuery
            {
                Events = ["#GC/Start"],
                From = TimeSpan.FromSeconds(0.1),
                To = TimeSpan.FromSeconds(0.4),
            }
        );

        Assert.NotEmpty(theirs);
        Assert.Equal(
            theirs,
            found.Select(item => (item.Event, Math.Round(item.TimeMs, 3), (int)item.Fields.Single(field => field.Name == "Depth").Value!))
        );
        Assert.Equal(3, Decode([path], new EventQuery { Top = 3 }).Count);
        Assert.NotEmpty(Decode([path], new EventQuery { Events = ["39"] })); // GCs' events with names of their own
        Assert.Throws<NoEventMatchesException>(() => Decode([path], new EventQuery { Provider = "NoSuch" }));
    }

    [Fact]
    public void Events_of_a_machine_are_chosen_by_process()
    {
        var found = Decode([TestFiles.Data("others/record-trace.nettrace")], new EventQuery { Process = "27089", Events = ["#cpu"] });

        Assert.Equal(388, found.Count);
        Assert.All(found, item => Assert.Equal((27089, "Universal.Events"), (item.ProcessId, item.Provider)));
    }

    [Fact]
    public void Records_of_perf_data_have_the_counts_of_perf()
    {
        var contents = TraceContentsReader.Read([s_perfData], byProcess: false);

        // perf report --stats -i perf-record.data
        Assert.Equal(
            [("SAMPLE cpu-clock:ppp", 256), ("MMAP2", 54), ("COMM", 9), ("EXIT", 8), ("FORK", 7), ("MMAP", 1)],
            contents.Kinds.Where(kind => kind.Id < 64).Select(kind => (kind.EventName, (int)kind.Count))
        );
        Assert.Equal(1000.0 / 499, contents.SampleIntervalMs);
        var sample = Decode([s_perfData], new EventQuery { Events = ["SAMPLE"], Top = 1 })[0];
        Assert.Equal(["Ip", "Period", "IsKernelMode", "Frames", "CallChain"], sample.Fields.Select(field => field.Name));
        Assert.Contains(Decode([s_perfData], new EventQuery { Events = ["#COMM"] }), item => item.Fields.Contains(("Name", "dotnet")));
    }

    [Fact]
    public void What_cannot_be_read_says_why()
    {
        var recording = Assert.Throws<TraceFormatException>(() => TraceContentsReader.Read([TestFiles.Recording], byProcess: false));
        Assert.Contains("it is a folder", recording.Message, StringComparison.Ordinal);
        var several = Assert.Throws<TraceFormatException>(() =>
            TraceContentsReader.Read([s_perfData, TestFiles.Unmarked], byProcess: false)
        );
        Assert.Contains("name one of them", several.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_cut_file_is_counted_and_decoded_up_to_the_cut()
    {
        using var folder = new TempFolder();
        foreach (var name in (string[])["net10/clr.nettrace", "others/record-trace.nettrace", "others/perf-record.data"])
        {
            var whole = File.ReadAllBytes(TestFiles.Data(name));
            var path = folder.Write("cut", whole[..(whole.Length * 3 / 4)]);
            var contents = TraceContentsReader.Read([path], byProcess: false);
            Assert.NotNull(contents.Damage);
            Assert.InRange(contents.Damage.Offset, 1, whole.Length);
            if (contents.Events > 0)
                Assert.NotEmpty(Decode([path], new EventQuery()));
        }
    }

    private static List<DecodedEvent> Decode(IReadOnlyList<string> paths, EventQuery query)
    {
        var events = new List<DecodedEvent>();
        EventDecoder.Read(paths, query, events.Add);
        return events;
    }

    private static void Each(string path, Action<Microsoft.Diagnostics.Tracing.TraceEvent> receive)
    {
        using var source = new EventPipeEventSource(path);
        StandardParsers.AddTo(source);
        source.AllEvents += receive;
        source.Process();
    }
}
