using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>Iterations of BenchmarkDotNet in the whole analysis.</summary>
public sealed class IterationRunTests
{
    private static SyntheticTrace Trace() =>
        new SyntheticTrace()
            .Iteration(100, 200, 1, BenchmarkStage.Jitting)
            .Benchmark(210, "Ns.Reading.Read(N: 10)")
            .Iteration(1000, 3000, 4)
            .Pause(1100, 1500)
            .Iteration(4000, 8000, 4);

    [Fact]
    public void A_row_of_iterations_has_times_of_an_operation_and_sums_of_all()
    {
        var result = Synthetic.Analyze(Trace());
        var row = Assert.Single(result.Rows);

        Assert.Equal(
            ("Reading", "Read", 10, 2, 8L),
            (row.Key.Serializer, row.Key.Operation, row.Key.ObjectCount, row.Runs, row.Operations)
        );
        Assert.Equal(
            (0.75, 0.5, 6.0, 0.4),
            (row.WallMedianMs!.Value, row.WallMinMs!.Value, row.WallTotalMs!.Value, Math.Round(row.PauseTotalMs!.Value, 6))
        );
        Assert.Equal(0.4 / 6 * 100, row.PausePercent!.Value, 6);
        Assert.Equal((3, 3, 0), (result.Processes[0].Expected, result.Processes[0].Found, result.Processes[0].Cut));
        Assert.All(
            result.Runs,
            run => Assert.Equal((RunDelimiter.Marks, (long?)SyntheticTrace.Main), (run.Delimiter, run.MeasuringThread))
        );
        var first = Assert.Single(result.FirstUseRows);
        Assert.Equal((RunKind.WarmUp, 0.1), (first.Key.Kind, Math.Round(first.WallMedianMs!.Value, 6)));
        var hint = result.Findings.Single(finding => finding.Code == "iterations");
        Assert.Contains("Reading Read N=10 (8 operations)", hint.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("runs-missing", Synthetic.Codes(result));
    }

    [Fact]
    public void Iterations_of_one_operation_need_no_hint() =>
        Assert.DoesNotContain(
            "iterations",
            Synthetic.Codes(Synthetic.Analyze(new SyntheticTrace().Benchmark(10, "Reading.Read").Iteration(1000, 3000, 1)))
        );

    [Fact]
    public void An_iteration_that_the_end_of_the_recording_cuts_is_not_a_run()
    {
        var process = Synthetic.AnalyzeSpan(Trace().Iteration(9000, null, 4), 50, 20_000).Processes[0];

        Assert.Equal((1, 3, 3), (process.Cut, process.Expected, process.Found));
    }

    [Fact]
    public void Runs_that_a_benchmark_marks_itself_take_the_place_of_its_iterations()
    {
        var result = Synthetic.Analyze(Trace().Run(1, 4100, 5100));

        Assert.Equal(1, Assert.Single(result.Runs).Operations);
    }
}
