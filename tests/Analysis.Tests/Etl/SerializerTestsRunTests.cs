using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>
/// The original suite marks no runs: its marker thread waits in a method named after the operation, and samples show whose run it was.
/// </summary>
public sealed class SerializerTestsRunTests : IDisposable
{
    private const string Json = "Newtonsoft.Json";
    private const string Protobuf = "protobuf-net";
    private const string Unknown = "(unknown serializer)";

    private readonly TempFolder _folder = new();
    private readonly string _path;

    public SerializerTestsRunTests() => _path = Path.Combine(_folder.Path, "classic.etl");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Each_wait_of_the_marker_is_a_run_and_the_samples_name_its_serializer(bool hasReady)
    {
        var result = Analyze(hasReady);

        var late = hasReady ? 0 : 0.03;
        Assert.Equal(
            [
                (Json, RunOperation.Serialize, 1, 10.0, 5 + late),
                (Unknown, RunOperation.Serialize, 1, 20, 2 + late),
                (Protobuf, RunOperation.Deserialize, 1, 30, 6 + late),
                (Protobuf, RunOperation.Deserialize, 2, 40, 4 + late),
                (Json, RunOperation.Serialize, 2, 50, 3 + late),
            ],
            result.Runs.Select(run =>
                (
                    run.Identity.Serializer,
                    run.Identity.Operation,
                    run.Identity.RunNumber,
                    Math.Round(run.StartMs, 3),
                    Math.Round(run.WallMs, 3)
                )
            )
        );
        Assert.All(result.Runs, run => Assert.Equal(hasReady ? RunDelimiter.MarkerReady : RunDelimiter.MarkerSwitch, run.Delimiter));
        Assert.Equal([4, 1, 4, 3, 1], result.Runs.Select(run => run.Samples!.Count));
        Assert.Equal((null, 5), (result.RunsExpected, result.RunsFound));
        Assert.Equal(
            [(Protobuf, 2), (Unknown, 1), (Json, 2)],
            result
                .Rows.OrderBy(row => row.Key.Operation, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Serializer, StringComparer.Ordinal)
                .Select(row => (row.Key.Serializer, row.Runs))
        );
    }

    [Fact]
    public void Runs_without_a_sample_of_a_known_serializer_are_counted()
    {
        var warning = Assert.Single(Analyze().Findings, finding => finding.Code == "unknown-serializer");

        Assert.Equal(FindingKind.Warning, warning.Kind);
        Assert.StartsWith("process 4000: 1 of 5 runs have no serializer", warning.Text, StringComparison.Ordinal);
        Assert.EndsWith(": run 2", warning.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_thread_of_the_samples_measures()
    {
        var runs = Analyze().Runs;

        Assert.Equal(
            [SerializerTestsEtl.Main, null, SerializerTestsEtl.Main, SerializerTestsEtl.Main, SerializerTestsEtl.Main],
            runs.Select(run => run.MeasuringThread)
        );
        Assert.Equal(
            (4.0, 0.8, 0.2),
            (Math.Round(runs[0].Measuring!.OnCpuMs, 3), Math.Round(runs[0].Measuring!.WaitMs, 3), Math.Round(runs[0].Measuring!.ReadyMs, 3))
        );
        Assert.Null(runs[1].Measuring);
    }

    [Fact]
    public void Causes_are_those_below_the_entries_of_the_runs_own_serializer() =>
        Assert.Equal(
            [
                "Newtonsoft.Json 2 samples: own 1, text 1; harness 1, other threads 1",
                "(unknown serializer) 1 samples without entry: own 1; harness 0, other threads 0",
                "protobuf-net 3 samples: own 1, reflectionSet 2; harness 1, other threads 0",
                "protobuf-net 1 samples: own 1; harness 2, other threads 0", // another serializer's entry is harness
                "Newtonsoft.Json 1 samples: own 1; harness 0, other threads 0",
            ],
            Analyze().Runs.Select(run => Text(run.Identity.Serializer, run.Causes!))
        );

    /// <summary>One of the machine's samples in the first run is the idle process's; a sample after the last run is not counted.</summary>
    [Fact]
    public void Other_processes_stand_beside() =>
        Assert.Equal([2.0, 0, 0, 0, 0], Analyze().Runs.Select(run => run.Causes!.ToMilliseconds(run.Causes.OtherProcesses!.Value)));

    [Fact]
    public void Runs_are_chosen_by_serializer()
    {
        SerializerTestsEtl.Write(_path);
        var reading = new CpuReading(
            new CpuQuery(CpuGrouping.Method, ByInclusive: true, new RunFilter { Serializer = Json }, null),
            new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero))
        );
        RunAnalysis.Run(TraceInputReader.Open([_path]).Processes, [], null, reading);

        var result = reading.Result();
        Assert.Equal((2, 5L), (result.Runs, result.Samples));
        Assert.DoesNotContain(result.Rows, row => row.Name.Contains("ProtoBuf", StringComparison.Ordinal));
    }

    private static string Text(string serializer, CauseTimes times)
    {
        var causes = CauseCatalog
            .All.Select((cause, number) => (cause.Key, Ms: Ms(times.Causes[number])))
            .Where(cause => cause.Ms > 0)
            .Select(cause => $", {cause.Key} {cause.Ms}");
        Assert.Equal((0, 0, 0), (times.Broken, times.GcThreads, times.JitThreads));
        return $"{serializer} {times.Samples} samples{(times.HasEntry ? "" : " without entry")}: own {Ms(times.Own)}{string.Concat(causes)}; harness {Ms(times.Harness)}, other threads {Ms(times.OtherThreads)}";

        double Ms(long ticks) => times.ToMilliseconds(ticks);
    }

    private AnalysisResult Analyze(bool hasReady = true)
    {
        SerializerTestsEtl.Write(_path, hasReady);
        return RunAnalysis.Run(TraceInputReader.Open([_path]).Processes, []);
    }
}
