using System.Diagnostics;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>Runs BenchmarkDotNet with the diagnoser. One class, so one after the other: each process is measured.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed partial class DiagnoserTests(ITestOutputHelper output)
{
    private static readonly string[] s_sampled =
    [
        "Own code",
        "Reflection",
        "Activator",
        "GC CPU",
        "JIT CPU",
        "Types",
        "Locks",
        "Exceptions",
        "Formatting",
        "Compression",
        "I/O",
        "Emitted",
        "Runtime",
        "Kernel",
    ];

    [Fact]
    public void Iterations_are_runs_and_causes_are_columns()
    {
        if (ProfileValidation.PlanKernel(new SerializerProfileOptions(), out var missing) is null)
            Assert.Skip(missing!);
        using var measured = Measured.Run<Reading>(new SerializerProfileOptions { ExtraRun = false });
        output.WriteLine(string.Join('\n', measured.Conclusions));
        output.WriteLine(measured.Log);

        // The cost of an operation, and the cause.
        Assert.All(measured.Summary.Reports, report => Assert.True(report.Success));
        foreach (var method in (string[])["Reflective", "Direct"])
        {
            var all = s_sampled.Sum(metric => measured.Milliseconds(method, metric)!.Value);
            var (own, reflection) = (measured.Milliseconds(method, "Own code")!.Value, measured.Milliseconds(method, "Reflection")!.Value);
            double Allowed(double share) => Chance.OfShare(share, all * Measured.Iterations * Measured.Invocations); // of samples of 1 ms
            Assert.True(
                method == "Reflective"
                    ? reflection / all > 0.5 - Allowed(0.5)
                    : reflection / all < 0.05 + Allowed(0.05) && own / all > 0.5 - Allowed(0.5),
                FormattableString.Invariant($"{method}: own {own}, reflection {reflection} of {all} ms")
            );
            output.WriteLine(FormattableString.Invariant($"{method}: own {own:0.000}, reflection {reflection:0.000} of {all:0.000} ms"));
            Assert.EndsWith("s", measured.Cell(method, "CPU"), StringComparison.Ordinal); // a number with its unit
        }

        Assert.Contains(
            measured.Conclusions,
            text =>
                text.StartsWith("Hint: reflection and Activator take over 15 %", StringComparison.Ordinal)
                && text.Contains("Reading Reflective N=200", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(
            measured.Conclusions,
            text =>
                text.StartsWith("Warning: it was not recorded", StringComparison.Ordinal)
                || text.StartsWith("Warning: its process ended", StringComparison.Ordinal)
        );

        // The recordings are of the launch whose times are shown, and esp-analyze reads them as one.
        Assert.Equal(["Direct_N_200", "Reflective_N_200"], measured.Recordings.Keys.Order(StringComparer.Ordinal));
        var folder = Path.GetDirectoryName(measured.Recordings["Direct_N_200"])!;
        Assert.Equal(["Reflective N=200", "Direct N=200"], RecordingIndexFile.Read(folder).Recordings.Select(recording => recording.Label));
        Assert.Contains(Path.Combine(folder, RecordingIndex.FileName)[measured.Artifacts.Length..], measured.Log, StringComparison.Ordinal);
        Assert.Contains("esp-analyze causes|table|report|cpu", measured.Log, StringComparison.Ordinal);
        foreach (var (label, path) in measured.Recordings)
        {
            var method = label.Split('_')[0];
            var input = TraceInputReader.Open([path]);
            Assert.DoesNotContain(
                input.Missing(),
                problem =>
                    problem.Contains("was not started", StringComparison.Ordinal) || problem.Contains("partial", StringComparison.Ordinal)
            );
            var result = RunAnalysis.Run(input.Processes, [], recordings: input.Recordings);
            var reported = measured
                .Report(method)
                .AllMeasurements.Where(measurement =>
                    measurement.IterationMode == IterationMode.Workload && measurement.IterationStage == IterationStage.Actual
                )
                .OrderBy(measurement => measurement.IterationIndex)
                .ToList();
            var runs = result.Runs.Where(run => run.Identity.Kind == RunKind.Measured).ToList();
            Assert.Equal(Measured.Iterations, reported.Count);
            Assert.Equal(
                reported.Select(measurement => (("Reading", method, 200), measurement.IterationIndex, measurement.Operations)),
                runs.Select(run =>
                    ((run.Identity.Serializer, run.Identity.Operation, run.Identity.ObjectCount), run.Identity.RunNumber, run.Operations)
                )
            );
            Assert.All(runs, run => Assert.Equal(RunDelimiter.Marks, run.Delimiter));

            // The events lie outside of BenchmarkDotNet's clock, by some µs, so none is shorter. A loaded machine may take the thread off
            // its processor in between: not at each of the five, unless five times in a row something happens whose chance is below 1 %.
            var late = runs.Zip(reported, (run, measurement) => (run.WallMs * 1e6) - measurement.Nanoseconds).Order().ToList();
            output.WriteLine(
                $"{label}: iterations are longer than reported by {string.Join(", ", late.Select(ns => FormattableString.Invariant($"{ns / 1e3:0}")))} µs"
            );
            Assert.All(late, ns => Assert.True(ns >= 0));
            Assert.True(late[0] < 0.05 * reported.Average(measurement => measurement.Nanoseconds));
            Assert.Contains(result.FirstUseRows, row => row.Key.Operation == method);
            var metric = measured.Milliseconds(method, "CPU")!.Value;
            Assert.Equal(runs.Sum(run => run.CpuMs!.Value) / runs.Sum(run => run.Operations), metric, metric * 1e-9);
            Assert.True(input.Recording!.Attached);
            Assert.Contains(
                input.Recording.Variables,
                variable => variable is { Name: "DOTNET_RichDebugInfo", Value: "1", SetByUser: false }
            );
        }
    }

    [Fact]
    public void Without_the_kernel_its_columns_read_NA_and_an_extra_run_leaves_the_times_alone()
    {
        using var measured = Measured.Run<Reading>(
            new SerializerProfileOptions { KernelEvents = false },
            change: job => job.WithEnvironmentVariables(new EnvironmentVariable("DOTNET_TieredPGO", "0"))
        );
        output.WriteLine(measured.Log);

        Assert.All(measured.Summary.Reports, report => Assert.True(report.Success));
        foreach (var column in (string[])["CPU", "Own code", "Reflection", "Activator", "GC CPU"])
        {
            Assert.Equal("NA", measured.Cell("Reflective", column));
            Assert.Null(measured.Milliseconds("Reflective", column));
        }

        Assert.NotNull(measured.Milliseconds("Reflective", "GC pause"));
        Assert.Equal(2, measured.Log.Split("// Run, Diagnostic").Length - 1);
        Assert.Equal(
            """
            Method | N | Mean | Error | StdDev | CPU | Own code | Reflection | Activator | GC CPU | GC pause | JIT time
            Reflective | # | # | # | # | NA | NA | NA | NA | NA | # | #
            Direct | # | # | # | # | NA | NA | NA | NA | NA | # | #
            """,
            Table(measured.Summary),
            ignoreLineEndingDifferences: true
        );
        Assert.All(measured.Recordings.Values, path => Assert.Null(RecordingFile.Read(path).Kernel));
    }

    /// <summary>The runtime writes the type of each finalized object to every session that asks for types.</summary>
    [Fact]
    public void Objects_with_finalizers_do_not_flood_the_recording()
    {
        using var measured = Measured.Run<Finalizing>(new SerializerProfileOptions { ExtraRun = false, KernelEvents = false });
        output.WriteLine(measured.Log);

        var folder = Assert.Single(measured.Recordings).Value;
        var recorded = Assert
            .Single(RecordingFile.Read(folder).Processes)
            .Sessions.ToDictionary(
                session => session.Name,
                session => TraceContentsReader.Read([Path.Combine(folder, session.File)], byProcess: false)
            );
        Assert.NotEqual(
            0,
            recorded["clr"].Kinds.Where(kind => kind.EventName.Contains("Finalizers", StringComparison.Ordinal)).Sum(kind => kind.Count)
        );
        Assert.All(
            recorded.Values,
            contents =>
                Assert.InRange(
                    contents.Kinds.Where(kind => kind.EventName.Contains("BulkType", StringComparison.Ordinal)).Sum(kind => kind.Count),
                    0,
                    0.05 * contents.Events
                )
        );
    }

    [Fact]
    public void A_process_that_ends_in_the_middle_is_a_warning_and_the_next_is_recorded()
    {
        using var measured = Measured.Run<Ending>(new SerializerProfileOptions { ExtraRun = false });
        output.WriteLine(string.Join('\n', measured.Conclusions));

        Assert.Contains(
            measured.Conclusions,
            text =>
                text.StartsWith(
                    "Warning: its process ended before its last iteration, so the recording is incomplete",
                    StringComparison.Ordinal
                )
        );
        Assert.True(measured.Report("GoesOn").Success);
        Assert.NotNull(measured.Milliseconds("GoesOn", "JIT time"));
        Assert.Null(measured.Milliseconds("Ends", "JIT time"));
        Assert.Equal("NA", measured.Cell("Ends", "JIT time"));
    }

    [Fact]
    public void A_recording_that_cannot_be_made_is_a_warning_with_its_cause()
    {
        // A file exists at the path of the recordings' folder.
        using var measured = Measured.Run<Ending>(
            new SerializerProfileOptions { ExtraRun = false },
            artifacts => File.WriteAllText(Path.Combine(artifacts, "serializer-profile"), ""),
            job => job.WithIterationCount(1).WithWarmupCount(1).WithInvocationCount(1)
        );
        output.WriteLine(string.Join('\n', measured.Conclusions));

        Assert.True(measured.Report("GoesOn").Success);
        Assert.Contains(
            measured.Conclusions,
            text =>
                text.StartsWith("Warning: it was not recorded", StringComparison.Ordinal)
                && text.Contains("serializer-profile", StringComparison.Ordinal)
        );
        Assert.Equal("NA", measured.Cell("GoesOn", "CPU"));
    }

    [Fact]
    public void A_benchmark_in_the_same_process_is_not_recorded_and_the_validation_says_what_to_do()
    {
        using var measured = Measured.Run<Reading>(
            new SerializerProfileOptions(),
            change: job =>
                job.WithToolchain(InProcessNoEmitToolchain.Instance).WithIterationCount(1).WithWarmupCount(1).WithInvocationCount(1)
        );

        Assert.All(measured.Summary.Reports, report => Assert.True(report.Success));
        Assert.Contains(
            measured.Summary.ValidationErrors,
            error => !error.IsCritical && error.Message.Contains("use the default toolchain", StringComparison.Ordinal)
        );
        Assert.Empty(measured.Recordings);
    }

    [Fact]
    public void A_variable_that_the_user_has_set_stays()
    {
        var start = new ProcessStartInfo("dotnet");
        start.Environment.Clear();
        new CaseRecorder(null!, new SerializerProfileOptions()).Prepare(start);
        Assert.Equal("1", start.Environment["DOTNET_RichDebugInfo"]);

        start.Environment["DOTNET_RichDebugInfo"] = "0";
        new CaseRecorder(null!, new SerializerProfileOptions()).Prepare(start);
        Assert.Equal("0", start.Environment["DOTNET_RichDebugInfo"]);
        Assert.Single(start.Environment);
    }

    /// <summary>
    /// The summary's table with numbers masked, without the columns that are shown only when they are not 0, and without the median, which
    /// BenchmarkDotNet shows when the mean is far from it.
    /// </summary>
    private static string Table(Summary summary)
    {
        List<string> sometimes =
        [
            "Median",
            .. ProfileMetrics.All.Where(metric => !metric.IsAlwaysShown).Select(metric => metric.DisplayName),
        ];
        var shown = summary.Table.Columns.Where(column => column.NeedToShow && !sometimes.Contains(column.Header)).ToList();
        return string.Join(
            '\n',
            [
                string.Join(" | ", shown.Select(column => column.Header)),
                .. Enumerable
                    .Range(0, summary.Reports.Length)
                    .Select(row => string.Join(" | ", shown.Select(column => Number().Replace(column.Content[row], "#")))),
            ]
        );
    }

    /// <summary>A number with its unit; BenchmarkDotNet writes 0 as a dash.</summary>
    [GeneratedRegex(@"^([0-9][0-9.,]*( [mnμ]?s)?|-)$")]
    private static partial Regex Number();
}
