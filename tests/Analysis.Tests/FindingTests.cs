using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Tests;

public sealed class FindingTests
{
    [Fact]
    public void A_good_trace_only_reports_the_delimiters_error()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 7000);

        var finding = Assert.Single(Synthetic.Analyze(trace).Findings);
        Assert.Equal(
            "run durations differ from the program's own clock by 2 µs (median), 2 µs (max); the marker's wait by 65 and 65 µs",
            finding.Text
        );
    }

    [Fact]
    public void Lost_events_are_a_warning() =>
        Assert.Contains("3 events lost", Find("lost-events", new SyntheticTrace { Lost = 3 }.Run(1, 1000, 3000)), StringComparison.Ordinal);

    [Fact]
    public void Problems_of_the_input_are_warnings()
    {
        var result = Synthetic.Analyze([new SyntheticTrace().Run(1, 1000, 3000)], [], "the recording is partial: the disk is full.");

        var finding = result.Findings[0];
        Assert.Equal(
            (FindingKind.Warning, "input", "the recording is partial: the disk is full"),
            (finding.Kind, finding.Code, finding.Text)
        );
        Assert.Contains("esp-record doctor", finding.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void Failed_runs_are_named_and_left_out_of_the_numbers()
    {
        var trace = new SyntheticTrace()
            .Run(1, 1000, 3000)
            .Run(2, 5000, 905_000, measurement: SyntheticTrace.Measurement(5000, 905_000, error: "System.Exception: no\nway"));
        var result = Synthetic.Analyze(trace);

        Assert.Contains(
            "Json Serialize N=1000: 1 of 2 runs failed: System.Exception: no way",
            result.Findings.Select(finding => finding.Text)
        );
        var row = Assert.Single(result.Rows);
        Assert.Equal((1, 1, 2.002), (row.Runs, row.FailedRuns, Math.Round(row.WallMedianMs!.Value, 6)));
    }

    [Fact]
    public void Runs_whose_quartiles_lie_apart_are_noisy()
    {
        Assert.Contains("noisy", Find("spread", new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 7500)), StringComparison.Ordinal);
        Assert.Null(TryFind("spread", new SyntheticTrace().Run(1, 1000, 3000).Run(2, 5000, 7300)));
    }

    [Fact]
    public void Pauses_of_a_fifth_of_the_time_are_named()
    {
        Assert.Contains("25 %", Find("gc-pause", new SyntheticTrace().Run(1, 1000, 3000).Pause(1000, 1500)), StringComparison.Ordinal);
        Assert.Null(TryFind("gc-pause", new SyntheticTrace().Run(1, 1000, 3000).Pause(1000, 1400)));
    }

    [Fact]
    public void Compilation_in_measured_runs_asks_for_more_warm_up()
    {
        Assert.Contains(
            "make the warm-up longer",
            Find("jit", new SyntheticTrace().Run(1, 1000, 3000).JitStart(1000, 1).MethodLoad(1200, 1)),
            StringComparison.Ordinal
        );
        Assert.Null(TryFind("jit", new SyntheticTrace().Run(1, 1000, 3000).JitStart(1000, 1).MethodLoad(1100, 1)));
        Assert.Null(
            TryFind(
                "jit",
                new SyntheticTrace()
                    .Run(1, 1000, 3000, identity: SyntheticTrace.Identity(kind: RunKind.WarmUp))
                    .JitStart(1000, 1)
                    .MethodLoad(1200, 1)
            )
        );
    }

    [Fact]
    public void Short_runs_are_named()
    {
        Assert.Contains("6 % of 0.032 ms", Find("short-runs", new SyntheticTrace().Run(1, 1000, 1030)), StringComparison.Ordinal);
        Assert.Null(TryFind("short-runs", new SyntheticTrace().Run(1, 1000, 1100)));
    }

    [Fact]
    public void GCs_that_differ_from_the_programs_count_are_a_warning()
    {
        var trace = new SyntheticTrace().Run(1, 1000, 3000, measurement: SyntheticTrace.Measurement(1000, 3000, gen1: 1)).Gc(1500, 0);

        Assert.Contains(
            "first in run 1 of process 100 (1/0/0 in the trace, 0/1/0 counted)",
            Find("gc-counts", trace),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_marker_that_wakes_late_is_a_warning_unless_the_programs_clock_confirms_the_marks()
    {
        var elsewhere = SyntheticTrace.Measurement(5000, 7000);

        Assert.Contains(
            "at most 1.20 ms in run 1",
            Find("marker-marks", new SyntheticTrace().Run(1, 1000, 3000, late: 1201, measurement: elsewhere)),
            StringComparison.Ordinal
        );
        Assert.Null(TryFind("marker-marks", new SyntheticTrace().Run(1, 1000, 3000, late: 900, measurement: elsewhere)));
        Assert.Null(TryFind("marker-marks", new SyntheticTrace().Run(1, 1000, 3000, late: 1201)));
    }

    [Fact]
    public void Many_rows_with_one_trouble_are_one_finding_with_the_worst_ones_named()
    {
        var trace = new SyntheticTrace();
        for (var n = 1; n <= 5; n++)
            trace
                .Run(n, n * 10_000, (n * 10_000) + 1000, identity: SyntheticTrace.Identity(objects: n))
                .Pause(n * 10_000, (n * 10_000) + 250 + (n * 10));

        Assert.Equal(
            "GC pauses take over 20 % of the time: Json Serialize N=5 (30 %), Json Serialize N=4 (29 %), Json Serialize N=3 (28 %) and 2 more rows; record allocations (esp-record --alloc), and check what survives (esp-analyze gc FOLDER)",
            Find("gc-pause", trace)
        );
    }

    private static string Find(string code, SyntheticTrace trace) =>
        TryFind(code, trace) ?? throw new InvalidOperationException($"No finding '{code}'.");

    private static string? TryFind(string code, SyntheticTrace trace) =>
        Synthetic.Analyze(trace).Findings.SingleOrDefault(finding => finding.Code == code)?.Text;
}
