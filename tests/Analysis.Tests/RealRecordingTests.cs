using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>The committed recording against what its program wrote into runs.csv.</summary>
public sealed class RealRecordingTests
{
    private static readonly AnalysisResult s_result = RunAnalysis.Run(TraceInputReader.Open([TestFiles.Recording]).Processes, []);

    [Fact]
    public void Every_run_is_found_by_its_marker()
    {
        Assert.Equal((19, 19, 0), (s_result.RunsExpected, s_result.RunsFound, s_result.LostEvents));
        Assert.Equal(RunDelimiter.MarkerWait, s_result.Processes[0].Pairing);
        Assert.All(s_result.Runs, run => Assert.Equal(RunDelimiter.Marks, run.Delimiter));
        Assert.Equal(Enumerable.Range(1, 19), s_result.Runs.Select(run => run.RunId));
    }

    [Fact]
    public void Windows_match_the_programs_clock()
    {
        // The first run also compiles the marks' own code.
        foreach (var run in s_result.Runs.Skip(1))
        {
            Assert.InRange(run.StartDifferenceUs!.Value, -100, 0);
            Assert.InRange(run.StopDifferenceUs!.Value, 0, 1000);
            Assert.InRange(run.DurationDifferenceUs!.Value, 0, 200);
            Assert.InRange(run.MarkerDurationDifferenceUs!.Value, 0, 1000);
        }
    }

    [Fact]
    public void GCs_are_those_the_program_counted()
    {
        Assert.All(s_result.Runs, run => Assert.Equal(run.OwnGcs, run.Gcs));
        Assert.Equal(new GcCounts(2, 2, 0), Row("Trees").Gcs);
        Assert.Equal(28.766, Row("Trees").PauseTotalMs!.Value, 3);
    }

    [Fact]
    public void Exceptions_are_those_thrown() => Assert.Equal(100, Row("Exceptions").Exceptions);

    [Fact]
    public void Compiled_expressions_are_compiled_methods() => Assert.Equal(40, Row("Jit").JitMethods);

    [Fact]
    public void Locks_are_waited_for() => Assert.InRange(Row("Locks").ContentionMs!.Value, 10, 25);

    [Fact]
    public void Sampled_bytes_estimate_the_exact_ones()
    {
        var row = Row("Trees");
        Assert.Equal(80_000_048, row.AllocatedBytes);
        Assert.Equal(AllocationSource.SelfReported, AllocationMeasures.Source.ValueOf(row));
        Assert.InRange(AllocationMeasures.BytesByEvents.ValueOf(row)!.Value, 0.85 * 80_000_048, 1.15 * 80_000_048);
    }

    // Each session stamps an event itself, some µs apart: the order of files decides whose GCs are taken.
    [Fact]
    public void Bare_files_give_the_same_runs_as_the_recording()
    {
        var bare = RunAnalysis.Run(
            TraceInputReader
                .Open([TestFiles.Data("net10/code.nettrace"), TestFiles.Data("net10/clr.nettrace"), TestFiles.Data("net10/alloc.nettrace")])
                .Processes,
            []
        );

        Assert.Equal(s_result.Runs.Select(run => run with { Runtime = ".NET 10.0.12" }), bare.Runs); // by the runtime's own event
    }

    private static Rows.SummaryRow Row(string serializer) => s_result.Rows.Single(row => row.Key.Serializer == serializer);
}
