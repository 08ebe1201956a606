using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class IterationCollectorTests
{
    private readonly IterationCollector _collector = new();
    private long _time;

    [Fact]
    public void Iterations_are_runs_with_the_benchmark_that_is_named_after_the_first_calls()
    {
        Iteration(BenchmarkStage.Jitting, 1);
        Benchmark("Ns.Reading.Read(N: 10)", isStart: true);
        Iteration(BenchmarkStage.Warmup, 4);
        Iteration(BenchmarkStage.Actual, 4);
        Iteration(BenchmarkStage.Actual, 4);
        Benchmark("Ns.Reading.Read(N: 10)", isStart: false);
        Iteration(BenchmarkStage.Jitting, 1);
        Benchmark("Ns.Reading.Write(N: 10)", isStart: true);
        Iteration(BenchmarkStage.Actual, 8);

        Assert.Equal(
            [
                ("Read", RunKind.WarmUp, 1, 1L),
                ("Read", RunKind.WarmUp, 2, 4),
                ("Read", RunKind.Measured, 1, 4),
                ("Read", RunKind.Measured, 2, 4),
                ("Write", RunKind.WarmUp, 1, 1),
                ("Write", RunKind.Measured, 1, 8),
            ],
            _collector.Runs.Select(run => (run.Identity!.Operation, run.Identity.Kind, run.Identity.RunNumber, run.Iteration!.Operations))
        );
        Assert.Equal([1, 2, 3, 4, 5, 6], _collector.Runs.Select(run => run.RunId));
        Assert.All(_collector.Runs, run => Assert.True(run.Stopped && run.MarkClockStopped > run.MarkStart && run.MeasuringThread == 7));
    }

    [Fact]
    public void An_iteration_that_did_not_end_is_open_and_the_end_of_another_stage_ends_none()
    {
        Benchmark("Reading.Read", isStart: true);
        _collector.Hear(new BenchmarkIteration(At(), BenchmarkStage.Actual, IsStart: true, 4));
        _collector.Hear(new BenchmarkIteration(At(), BenchmarkStage.Warmup, IsStart: false, 4));

        var run = Assert.Single(_collector.Runs);
        Assert.False(run.Stopped);
        Assert.Null(run.MarkClockStopped);
    }

    [Theory]
    [InlineData("Ns.Reading.Read", "Reading", "Read", 0)]
    [InlineData("Reading.Read(N: 1000)", "Reading", "Read", 1000)]
    [InlineData("A.B.Outer+Inner.Read(Serializer: \"System.Text, Json\", count: 5)", "System.Text, Json", "Read", 5)]
    [InlineData(
        "A.Reading<A.B, List<C.D>>.Read(Depth: 3, N: 0, Kind: [1, 2])",
        "Reading<A.B, List<C.D>>",
        "Read(Depth: 3, N: 0, Kind: [1, 2])",
        0
    )]
    [InlineData("A.Reading.Read(text: \"a: \\\"b, c\", Objects: 7)", "Reading", "Read(text: a: \\\"b, c)", 7)]
    [InlineData("A.Reading.Read(", "Reading", "Read(", 0)]
    [InlineData("x", "", "x", 0)]
    public void A_benchmarks_name_says_serializer_operation_and_count(string name, string serializer, string operation, int objects)
    {
        var identity = BenchmarkName.Parse(name);

        Assert.Equal((serializer, operation, objects), (identity.Serializer, identity.Operation, identity.ObjectCount));
    }

    private void Benchmark(string name, bool isStart) => _collector.Hear(new BenchmarkMeasured(At(), name, isStart));

    private void Iteration(BenchmarkStage stage, long operations)
    {
        _collector.Hear(new BenchmarkIteration(At(), stage, IsStart: true, operations));
        _collector.Hear(new BenchmarkIteration(At(), stage, IsStart: false, operations));
    }

    private EventAt At() => new(_time += 1000, 1, 7);
}
