using System.Text.Json;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>First calls, each in its own process, and their parts.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class FirstCallTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-first-").FullName;

    private string Folder => Path.Combine(_root, "r");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task First_calls_are_recorded_in_processes_of_their_own()
    {
        var recorded = await Tool.RecordTableAsync("-serializer", "#SystemTextJson", "-test", "firstcall", "-runs", "2", "--out", Folder);
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        var table = Parse(recorded.Output);

        Assert.Equal((8, 8), (table.GetProperty("runsExpected").GetInt32(), table.GetProperty("runsFound").GetInt32()));
        var rows = table.GetProperty("firstUseRows").EnumerateArray().ToList();
        Assert.Equal(
            ["Construct", "FirstDeserialize", "FirstSerialize", "StartRuntime"],
            rows.Select(row => row.GetProperty("operation").GetString()).Order()
        );
        Assert.All(
            rows.Where(row => row.GetProperty("objects").ValueKind == JsonValueKind.Number),
            row => Assert.True(row.GetProperty("jitMethods").GetInt64() > 0, "the first call compiles")
        );
    }

    [Fact]
    public async Task What_first_calls_are_made_of_is_what_the_serializers_do()
    {
        var recorded = await Tool.RecordAsync(
            "-serializer",
            "#XmlSerializer,#SystemTextJson",
            "-test",
            "firstcall",
            "-runs",
            "1",
            "--sessions",
            "clr,code",
            "--out",
            Folder
        );
        Assert.True(recorded.ExitCode == 0, recorded.Error);
        Assert.Contains("JIT ms + Rest ms = Median ms", recorded.Output, StringComparison.Ordinal);

        var report = Parse((await Tool.AnalyzeAsync("firstcalls", Folder, "--format", "json")).Output);
        var rows = report.GetProperty("rows").EnumerateArray().ToList();
        var assemblies = report
            .GetProperty("assemblies")
            .EnumerateArray()
            .ToLookup(row => (row.GetProperty("serializer").GetString(), row.GetProperty("startup").GetString()));
        Assert.Equal(
            [
                "(runtime) StartRuntime",
                "SystemTextJson Construct",
                "SystemTextJson FirstDeserialize",
                "SystemTextJson FirstSerialize",
                "XmlSerializer Construct",
                "XmlSerializer FirstDeserialize",
                "XmlSerializer FirstSerialize",
            ],
            rows.Select(row => $"{Text(row, "serializer")} {Text(row, "startup")}").Order(StringComparer.Ordinal)
        );

        // The run CSV has the times of the program's own clock.
        var clock = RunCsvReader
            .Read(Path.Combine(Folder, Recording.RunsFileName))
            .Rows.ToLookup(run => (run.Identity.Serializer, run.Identity.Operation), run => run.SelfMeasurement);
        foreach (var row in rows)
        {
            var measurements = clock[(Text(row, "serializer"), Text(row, "startup"))].ToList();
            Assert.Equal(
                measurements.Average(measurement => (measurement.StopTicks - measurement.StartTicks) * 1e3 / measurement.TicksPerSecond),
                Number(row, "medianMs"),
                0.001
            );
            Assert.Equal(
                measurements.Average(measurement =>
                    (measurement.StartTicks - measurement.LaunchedTicks) * 1e3 / measurement.TicksPerSecond
                ),
                Number(row, "launchMs") + Number(row, "heldMs"),
                0.001
            );
            Assert.Equal(Number(row, "medianMs"), Number(row, "jitMs") + Number(row, "restMs"), 0.001);
            Assert.InRange(Number(row, "typeMs"), 0, Number(row, "restMs"));
            Assert.InRange(Number(row, "launchMs"), 1, double.MaxValue);
            Assert.Equal(
                Number(row, "methods"),
                Number(row, "tier0Methods") + Number(row, "tier1Methods") + Number(row, "otherTierMethods")
            );
            Assert.True(
                Number(row, "launchAssemblies") > 1 && Number(row, "launchPrecompiledMethods") > 100 && Number(row, "launchTypes") > 100,
                "what lies before the call is code of the runtime"
            );
        }

        foreach (var row in rows.Where(row => Text(row, "serializer") != "(runtime)"))
        {
            var loaded = assemblies[(Text(row, "serializer"), Text(row, "startup"))]
                .Where(assembly => Text(assembly, "outcome") == "Loaded")
                .Select(assembly => Text(assembly, "assembly"))
                .ToList();
            Assert.Contains(Text(row, "library"), loaded);
            Assert.True(
                Number(row, "assemblies") >= loaded.Count && Number(row, "types") > 10 && Number(row, "precompiledMethods") > 0,
                row.ToString()
            );
        }

        Assert.Empty(assemblies[("(runtime)", "StartRuntime")]);
        foreach (var startup in (string[])["Construct", "FirstSerialize", "FirstDeserialize"])
        {
            var row = rows.Single(row => Text(row, "serializer") == "XmlSerializer" && Text(row, "startup") == startup);
            var missing = Assert.Single(assemblies[("XmlSerializer", startup)], assembly => Text(assembly, "outcome") == "NotFound");
            Assert.EndsWith(".XmlSerializers", Text(missing, "assembly"), StringComparison.Ordinal);
            Assert.Equal("Microsoft.GeneratedCode", Text(row, "generated"));
            Assert.True(startup == "Construct" || Number(row, "emittedMethods") > 0, row.ToString());
            Assert.True(Number(row, "failedLoads") >= 1);
        }

        Assert.All(
            rows.Where(row => Text(row, "serializer") == "SystemTextJson"),
            row => Assert.Equal((0.0, "none"), (Number(row, "failedLoads"), Text(row, "generated")))
        );

        static string Text(JsonElement row, string key) => row.GetProperty(key).GetString()!;

        static double Number(JsonElement row, string key) => row.GetProperty(key).GetDouble();
    }

    private static JsonElement Parse(string json) => JsonDocument.Parse(json).RootElement;
}
