using System.Text.Json;
using EtwSerializerProfiler.Etl;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>The commands on an .etl written by us: a suite of three runs whose marker's waits are in the context switches.</summary>
public sealed class EtlReportTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("table")]
    [InlineData("csv")]
    [InlineData("json")]
    [InlineData("markdown")]
    public void Stats(string format) => Check("stats", format, "--by-process");

    [Theory]
    [InlineData("table")]
    [InlineData("csv")]
    [InlineData("json")]
    [InlineData("markdown")]
    public void Events(string format) => Check("events", format, "--provider", "My*", "Microsoft-Windows-DotNETRuntime");

    [Fact]
    public void Runs_are_delimited_by_the_marker_as_on_Linux() => Check("runs", "table");

    [Fact]
    public void The_table_has_what_the_runs_cost() => Check("table", "table");

    /// <summary>The original suite marks no runs and names no serializer: every command knows them nevertheless.</summary>
    [Fact]
    public void All_commands_name_the_serializers_of_SerializerTests()
    {
        var path = Path.Combine(_folder.Path, "classic.etl");
        SerializerTestsEtl.Write(path);

        Assert.Equal(
            ["Newtonsoft.Json", "(unknown serializer)", "protobuf-net", "protobuf-net", "Newtonsoft.Json"],
            Serializers("runs", "runs")
        );
        Assert.Equal(["protobuf-net", "(unknown serializer)", "Newtonsoft.Json"], Serializers("table", "rows"));
        Assert.Equal(["protobuf-net", "(unknown serializer)", "Newtonsoft.Json"], Serializers("causes", "rows"));
        Assert.Equal(["Newtonsoft.Json"], Serializers("causes", "rows", "--serializer", "newtonsoft.json"));
        Assert.Equal(["Newtonsoft.Json"], Serializers("waits", "rows"));
        var cpu = Json("cpu", "--serializer", "protobuf-net");
        Assert.Equal(
            (2, 7),
            (cpu.GetProperty("summary").GetProperty("runs").GetInt32(), cpu.GetProperty("summary").GetProperty("samples").GetInt32())
        );
        Assert.Contains("unknown-serializer", Findings(Run("waits", path, "--format", "json").Output));
        var wait = Assert.Single(Json("waits").GetProperty("rows").EnumerateArray());
        Assert.Equal(
            ("Newtonsoft.Json.JsonSerializer.SerializeInternal", 1, 0.8),
            (wait.GetProperty("method").GetString(), wait.GetProperty("count").GetInt32(), wait.GetProperty("ms").GetDouble())
        );
        var (code, _, error) = Run("causes", path, "--serializer", "Jil");
        Assert.Equal(2, code);
        Assert.Contains("protobuf-net", error, StringComparison.Ordinal);

        JsonElement Json(string command, params string[] options) =>
            JsonDocument.Parse(Run([command, path, "--format", "json", .. options]).Output).RootElement;

        IEnumerable<string?> Serializers(string command, string rows, params string[] options) =>
            Json(command, options).GetProperty(rows).EnumerateArray().Select(row => row.GetProperty("serializer").GetString());
    }

    [Fact]
    public void Losses_and_oddities_are_warned_about()
    {
        var path = Path.Combine(_folder.Path, "bad.etl");
        using (
            var trace = new SyntheticEtl(
                path,
                new EtlWriteOptions
                {
                    EventsLost = 12,
                    BuffersLost = 3,
                    Clock = EtlClock.SystemTime,
                }
            )
        )
        {
            trace.SampleInterval(10);
            trace.Ready(100, Main);
        }

        var findings = Findings(Run("stats", path, "--format", "json").Output);

        Assert.Equal(["lost-events", "lost-buffers", "sample-interval", "clock"], findings);
    }

    [Fact]
    public void A_table_says_what_the_session_lost()
    {
        var path = Write("lost.etl", new EtlWriteOptions { EventsLost = 7, BuffersLost = 2 });

        var output = Run("table", path).Output;

        Assert.Contains("events lost: 7", output, StringComparison.Ordinal);
        Assert.Contains("2 buffers lost", output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_buffer_is_named_and_the_rest_is_read()
    {
        var path = Write();
        var bytes = File.ReadAllBytes(path);
        var second = BitConverter.ToInt32(bytes, 0);
        Array.Fill(bytes, (byte)0xAB, second + 200, 500);
        File.WriteAllBytes(path, bytes);

        var (code, output, _) = Run("stats", path);

        Assert.Equal(0, code);
        Assert.Contains($"Warning: {path}: offset ", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_exit_code_is_3_without_a_trace_and_2_without_the_event()
    {
        Assert.Equal(3, Run("stats", _folder.Write("empty.etl", "")).Code);
        Assert.Equal(3, Run("events", _folder.Write("text.etl", "hello, this is no trace")).Code);
        var (code, _, error) = Run("events", Write(), "--provider", "Nobody");
        Assert.Equal(2, code);
        Assert.Contains("MyProvider", error, StringComparison.Ordinal);
        Assert.Equal(2, Run("events", Write("b.etl"), "--from", "soon").Code);
    }

    private static List<string> Findings(string json) =>
        [
            .. JsonDocument
                .Parse(json)
                .RootElement.GetProperty("findings")
                .EnumerateArray()
                .Select(finding => finding.GetProperty("code").GetString()!),
        ];

    private void Check(string command, string format, params string[] options)
    {
        var path = Write();
        List<string> texts = [];
        if (command == "events")
            texts.AddRange(options.Skip(1).Select(provider => Run("events", path, "--format", format, "--provider", provider).Output));
        else
            texts.Add(Run([command, path, "--format", format, .. options]).Output);
        Snapshot.Matches(
            "Reports.Tests",
            $"etl-{command}-{format}",
            string.Join("", texts).Replace(_folder.Path, "FOLDER", StringComparison.Ordinal)
        );
    }

    private string Write(string name = "suite.etl", EtlWriteOptions? options = null)
    {
        var path = Path.Combine(_folder.Path, name);
        using var trace = new SyntheticEtl(path, options);
        trace.Process(App, "MyApp.exe");
        foreach (var thread in (int[])[Main, Marker])
            trace.Thread(thread, App);
        trace.SampleInterval(1);
        for (var run = 1; run <= 3; run++)
        {
            var start = run * 10_000L;
            trace.Run(App, Main, Marker, run, run < 3 ? "Fast" : "Slow", start, start + (run < 3 ? 2000 : 6000), generation: run - 1);
            trace.Switch(start - 50, 0, Main, waits: true);
            trace.Gc(start + 500, App, Main, run, generation: run - 1, microseconds: 300);
            trace.Sample(start + 1000, App, Main, 0x7FF6_0000_1000, 0x7FF6_0000_2000);
            trace.Switch(start + 8000, Main, 0, waits: true);
        }

        trace.TraceLogging(50_000, App, Main, new Guid("11111111-2222-3333-4444-555555555555"), "MyProvider", "Answer", "value", 42);
        return path;
    }
}
