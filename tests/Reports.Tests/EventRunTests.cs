using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>Runs delimited by events that the user names, in traces of SpanTruth of the test program.</summary>
public sealed class EventRunTests
{
    private const string Requests = "EspTest-Spans/Request";

    private static readonly string s_trace = TestFiles.Data("others/spans.nettrace");

    [Theory]
    [InlineData(Requests, 24, "Request:")]
    [InlineData("activity:SpanTruth.Work/Pack", 4, "Pack:")]
    [InlineData("activity:Ship", 3, "Ship")]
    public void Runs_begin_and_end_between_the_programs_own_readings_of_the_clock(string events, int count, string name)
    {
        var own = Own(name);
        var runs = TraceInputReader.Open([TracePart.With(s_trace, events)]).Processes[0].EventRuns!.Runs;

        Assert.Equal((count, count), (own.Count, runs.Count));
        foreach (var (truth, run) in own.Zip(runs))
        {
            // The program read the clock before and after it wrote each event, in the ticks of the trace: no tolerance is needed.
            Assert.Equal(truth.Name, run.Name);
            Assert.InRange(run.Start, truth.BeforeStart, truth.AfterStart);
            Assert.InRange(run.Stop, truth.BeforeStop, truth.AfterStop);
        }
    }

    [Fact]
    public void Two_events_delimit_runs()
    {
        var own = Own("BatchBegin");
        var runs = TraceInputReader.Open([TracePart.With(s_trace, "EspTest-Spans/BatchBegin,BatchEnd")]).Processes[0].EventRuns!;

        // The first run holds the others; the last end has no begin.
        Assert.Equal((own.Count + 1, 1, 0, 2), (runs.Runs.Count, runs.WithoutBegin, runs.WithoutEnd, runs.MaxOpen));
        foreach (var (truth, run) in own.Zip(runs.Runs.Skip(1)))
        {
            Assert.InRange(run.Start, truth.BeforeStart, truth.AfterStart);
            Assert.InRange(run.Stop, truth.BeforeStop, truth.AfterStop);
        }
    }

    [Fact]
    public void For_people_a_row_is_a_run_and_no_serializer()
    {
        var table = Run("table", s_trace, "--runs", Requests).Output;
        Assert.Contains(" Run ", table, StringComparison.Ordinal);
        Assert.DoesNotContain("Serializer", table, StringComparison.Ordinal);
        Assert.Contains("7 kinds of runs, 24 of 24 runs", Run("summary", s_trace, "--runs", Requests).Output, StringComparison.Ordinal);
    }

    /// <summary>Format 6 has the process, the thread and the activity of an event elsewhere.</summary>
    [Theory]
    [InlineData(Requests)]
    [InlineData("activity:Pack")]
    [InlineData("EspTest-Spans/BatchBegin,BatchEnd")]
    public void Runs_in_a_file_of_format_6_are_those_of_format_4(string events)
    {
        using var folder = new TempFolder();
        var exported = folder.PathOf("spans.nettrace");
        Assert.Equal(0, Run("export", s_trace, "--to", "nettrace", "-o", exported).Code);

        Assert.Equal(RunsOf(s_trace), RunsOf(exported));

        IEnumerable<EventRun> RunsOf(string trace) => TraceInputReader.Open([TracePart.With(trace, events)]).Processes[0].EventRuns!.Runs;
    }

    [Fact]
    public void Rows_have_the_names_of_the_first_field()
    {
        var rows = Json("table", s_trace, "--runs", Requests)
            .GetProperty("rows")
            .EnumerateArray()
            .ToDictionary(row => row.GetProperty("serializer").GetString()!, row => row.GetProperty("runs").GetInt32());

        Assert.Equal(Own("Request:").GroupBy(run => run.Name).ToDictionary(group => group.Key, group => group.Count()), rows);
    }

    [Fact]
    public void A_pause_counts_in_each_run_that_it_stops_and_the_report_says_so()
    {
        var json = Json("runs", s_trace, "--runs", Requests);
        var gcs = json.GetProperty("runs")
            .EnumerateArray()
            .Sum(run => run.GetProperty("gcsGen012").GetString()!.Split('/').Sum(count => int.Parse(count, CultureInfo.InvariantCulture)));

        // Seven GCs by the events of the runtime, which all lie in runs.
        Assert.Equal(7, Json("events", s_trace, "--id", "#GC/Start").GetProperty("events").GetArrayLength());
        Assert.True(gcs > 7);
        Assert.Contains(
            json.GetProperty("findings").EnumerateArray(),
            finding => finding.GetProperty("code").GetString() == "runs-overlap"
        );

        // The table of GCs counts each once.
        Assert.Equal(7, Json("gc", s_trace, "--runs", Requests).GetProperty("rows").GetArrayLength());
    }

    [Fact]
    public void A_part_of_the_trace_has_the_runs_that_lie_in_it()
    {
        var all = Json("runs", s_trace, "--runs", Requests).GetProperty("runs").EnumerateArray().ToList();
        var at = all[10].GetProperty("stopMs").GetDouble() / 1000;
        var part = Json("runs", FormattableString.Invariant($"{s_trace}#to={at + 1e-6}"), "--runs", Requests)
            .GetProperty("runs")
            .EnumerateArray()
            .ToList();

        Assert.Equal(all.Count(run => run.GetProperty("stopMs").GetDouble() / 1000 <= at + 1e-6), part.Count);
        Assert.InRange(part.Count, 1, all.Count - 1);
    }

    [Fact]
    public void Pairs_are_listed_with_their_counts()
    {
        var pairs = Json("summary", s_trace, "--runs", "list")
            .GetProperty("pairs")
            .EnumerateArray()
            .ToDictionary(pair => pair.GetProperty("runs").GetString()!, pair => pair.GetProperty("starts").GetInt64());

        Assert.Equal(
            (24, 4, 3, 7),
            (
                pairs[Requests],
                pairs["activity:SpanTruth.Work/Pack"],
                pairs["activity:SpanTruth.Work/Ship"],
                pairs["Microsoft-Windows-DotNETRuntime/GC"]
            )
        );
    }

    [Theory]
    [InlineData("EspTest-Span/Requst", "did you mean EspTest-Spans/Request?")]
    [InlineData("activity:Shp", "activity:SpanTruth.Work/Ship")]
    [InlineData("Nothing-Like/It", "choose from EspTest-Spans/Request")]
    public void A_pair_that_the_trace_lacks_names_those_that_it_has(string events, string fix)
    {
        var (code, _, error) = Run("cpu", s_trace, "--runs", events);

        Assert.Equal(2, code);
        Assert.Contains(fix, error, StringComparison.Ordinal);
        Assert.Contains("--runs list", error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_written_cannot_hold_the_list() =>
        Assert.Contains("esp-analyze runs PATH --runs list", Run("report", s_trace, "--runs", "list").Error, StringComparison.Ordinal);

    [Fact]
    public void Two_pairs_of_one_trace_are_compared()
    {
        var (code, output, error) = Run("diff", s_trace + "#to=0.1", s_trace + "#from=0.05", "--runs", Requests);

        Assert.True(code is 0 or 1, error);
        Assert.Contains("Request: /orders", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_option_a_program_without_marks_is_one_run() =>
        Assert.Equal(
            "WholeProcess",
            Assert.Single(Json("runs", s_trace).GetProperty("runs").EnumerateArray()).GetProperty("delimiter").GetString()
        );

    /// <summary>The events as ETW has them: an event source writes its manifest into the session, and events by their ids.</summary>
    [Fact]
    public void An_etl_trace_has_the_same_runs()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "spans.etl");
        WriteEtl(path);
        var (expected, found) = (
            TraceInputReader.Open([TracePart.With(s_trace, Requests)]).Processes[0].EventRuns!,
            TraceInputReader.Open([TracePart.With(path, Requests)]).Processes[0].EventRuns!
        );

        Assert.Equal(expected.Runs, found.Runs);
        Assert.Equal("Events", Json("runs", path, "--runs", Requests).GetProperty("runs")[0].GetProperty("delimiter").GetString());
    }

    private static void WriteEtl(string path)
    {
        var events = new List<DecodedEvent>();
        var clock = EventDecoder.Read([s_trace], new EventQuery { Provider = "#EspTest-Spans" }, events.Add).Clock;
        using var writer = new EtlWriter(
            path,
            new EtlWriteOptions { StartTicks = clock.OriginTicks, PerformanceFrequency = clock.TicksPerSecond }
        );
        var process = events[0].ProcessId;
        var manifest = Encoding.UTF8.GetBytes(EventSource.GenerateManifest(typeof(SpanSource), null)!);
        byte[] envelope = [1, 1, 0, 0x5B, 1, 0, 0, 0];
        writer.Write(Fields(clock.OriginTicks, process, 0xFFFE) with { Opcode = 0xFE, Task = 0xFFFE }, [.. envelope, .. manifest]);

        // An event of the runtime shows that it is a .NET process: GC/Start.
        writer.Write(
            Fields(clock.OriginTicks, process, 1) with
            {
                ProviderId = new Guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"),
            },
            new byte[26]
        );
        foreach (var item in events)
        {
            var payload = new List<byte>();
            foreach (var (_, value) in item.Fields)
            {
                if (value is string text)
                {
                    payload.AddRange(Encoding.Unicode.GetBytes(text + '\0'));
                }
                else
                {
                    var number = new byte[4];
                    BinaryPrimitives.WriteInt32LittleEndian(number, Convert.ToInt32(value, CultureInfo.InvariantCulture));
                    payload.AddRange(number);
                }
            }

            writer.Write(
                Fields(item.Ticks, process, item.Id!.Value) with
                {
                    ThreadId = item.ThreadId,
                    ActivityId = item.ActivityId,
                },
                payload.ToArray()
            );
        }
    }

    private static EtlEventFields Fields(long time, int process, int id) =>
        new()
        {
            HeaderType = EtlHeaderType.Event64,
            Timestamp = time,
            ProcessId = process,
            ThreadId = process,
            ProviderId = EventSource.GetGuid(typeof(SpanSource)),
            Id = (ushort)id,
            Keywords = 0x00FF_FFFF_FFFF_FFFF,
        };

    /// <summary>The program's output, by begin.</summary>
    private static List<(long BeforeStart, long AfterStart, long BeforeStop, long AfterStop, string Name)> Own(string name) =>
        [
            .. File.ReadLines(TestFiles.Data("others/spans.txt"))
                .Select(line => line.Split(' ', 5))
                .Where(parts => parts[4].StartsWith(name, StringComparison.Ordinal))
                .Select(parts => (Ticks(parts[0]), Ticks(parts[1]), Ticks(parts[2]), Ticks(parts[3]), parts[4]))
                .OrderBy(run => run.Item1),
        ];

    private static long Ticks(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    private static JsonElement Json(params string[] arguments)
    {
        var (code, output, error) = Run([.. arguments, "--format", "json"]);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement;
    }

    /// <summary>The events of the test program, for their manifest.</summary>
    [EventSource(Name = "EspTest-Spans")]
    private sealed class SpanSource : EventSource
    {
        [Event(1, ActivityOptions = EventActivityOptions.Recursive)]
        public void RequestStart(string path, int count) => WriteEvent(1, path, count);

        [Event(2, ActivityOptions = EventActivityOptions.Recursive)]
        public void RequestStop() => WriteEvent(2);

        [Event(3)]
        public void BatchBegin(int number) => WriteEvent(3, number);

        [Event(4)]
        public void BatchEnd() => WriteEvent(4);
    }
}
