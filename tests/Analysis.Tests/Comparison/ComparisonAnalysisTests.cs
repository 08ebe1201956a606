using System.Text;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

public sealed class ComparisonAnalysisTests
{
    private static readonly ComparisonQuery s_query = new(new RunFilter(), new ComparisonOptions());

    [Fact]
    public void Rows_are_matched_and_what_has_no_partner_is_listed()
    {
        var compared = ComparisonAnalysis.Compare(Side("a", Runs("A"), Runs("B")), Side("b", Runs("B"), Runs("C")), s_query);

        Assert.Equal("B", Assert.Single(compared.Pairs).Key.Serializer);
        Assert.Equal("A", Assert.Single(compared.OnlyBaseline).Serializer);
        Assert.Equal("C", Assert.Single(compared.OnlyOther).Serializer);
    }

    [Fact]
    public void Warm_ups_are_compared_only_when_asked_for()
    {
        var warmUps = Runs("A", change: run => run with { Identity = run.Identity with { Kind = RunKind.WarmUp } });

        Assert.Throws<NotComparableException>(() => ComparisonAnalysis.Compare(Side("a", warmUps), Side("b", warmUps), s_query));
        Assert.Single(
            ComparisonAnalysis
                .Compare(Side("a", warmUps), Side("b", warmUps), s_query with { Filter = new RunFilter { AllKinds = true } })
                .Pairs
        );
    }

    [Fact]
    public void Runs_beside_which_the_machine_was_slow_are_left_out()
    {
        // The other side has the fastest probe: this one was slow from its third run on.
        var slow = Side("a", Runs("A", change: run => run with { ProbeBeforeNs = 100, ProbeAfterNs = run.RunId < 3 ? 120 : 126 }));
        var fast = Side("b", Runs("A", change: run => run with { ProbeBeforeNs = 100, ProbeAfterNs = 101 }));

        var compared = ComparisonAnalysis.Compare(slow, fast, s_query);

        Assert.Equal((13, 0), compared.DisturbedRuns);
        Assert.Equal((2, 15), (compared.Pairs[0].Baseline.Count, compared.Pairs[0].Other.Count));
        Assert.Equal(
            15,
            ComparisonAnalysis
                .Compare(slow, fast, s_query with { Options = new ComparisonOptions { KeepDisturbedRuns = true } })
                .Pairs[0]
                .Baseline.Count
        );
    }

    [Fact]
    public void A_row_that_only_has_disturbed_runs_is_compared_by_them_when_asked_for()
    {
        var fast = Side("b", Runs("A", change: run => run with { ProbeBeforeNs = 100, ProbeAfterNs = 101 }));
        var slow = Side("a", Runs("A", change: run => run with { ProbeBeforeNs = 200, ProbeAfterNs = 200 }));

        var strict = ComparisonAnalysis.Compare(slow, fast, s_query).Pairs[0];
        var lenient = ComparisonAnalysis
            .Compare(slow, fast, s_query with { Options = new ComparisonOptions { FallBackToDisturbedRuns = true } })
            .Pairs[0];

        Assert.Equal((0, 15, false), (strict.Baseline.Count, strict.Baseline.Disturbed, strict.AreDisturbed));
        Assert.Equal((15, 0, true), (lenient.Baseline.Count, lenient.Baseline.Disturbed, lenient.AreDisturbed));
    }

    [Theory]
    [InlineData(".NET 10.0.12", "Mono 6.8.0.105 (Debian)", true)]
    [InlineData(".NET 10.0.12", ".NET 8.0.1", true)]
    [InlineData(".NET 10.0.12", ".NET 10.0.13", false)]
    public void Reflection_and_activator_are_factored_out_between_runtimes(string from, string to, bool expected)
    {
        var (first, second) = (
            Side("a", Runs("A", change: run => run with { Runtime = from })),
            Side("b", Runs("A", change: run => run with { Runtime = to }))
        );

        Assert.Equal(
            expected ? ["Reflection", "Activator"] : [],
            ComparisonAnalysis.Compare(first, second, s_query with { FactorOut = null }).FactoredOut
        );
        Assert.Empty(ComparisonAnalysis.Compare(first, second, s_query with { FactorOut = [] }).FactoredOut);
    }

    [Fact]
    public void Probes_of_another_runtime_or_machine_are_not_compared()
    {
        var slow = Side("a", Runs("A", change: run => run with { Runtime = "mono", ProbeBeforeNs = 200, ProbeAfterNs = 200 }));
        var fast = Side("b", Runs("A", change: run => run with { Runtime = "net10.0", ProbeBeforeNs = 100, ProbeAfterNs = 100 }));

        Assert.Equal((0, 0), ComparisonAnalysis.Compare(slow, fast, s_query).DisturbedRuns);
    }

    [Fact]
    public void Runs_whose_processor_others_had_are_left_out_and_those_that_the_process_itself_kept_waiting_are_not()
    {
        var others = Runs(
            "A",
            change: run =>
                run with
                {
                    Measuring = new MeasuringTimes(run.WallMs - 6, 0, 6, ReadySource.ReadyEvent, 0, 0),
                    CpuMs = run.WallMs - 6,
                }
        );
        var itself = Runs(
            "A",
            change: run =>
                run with
                {
                    Measuring = new MeasuringTimes(run.WallMs - 6, 0, 6, ReadySource.ReadyEvent, 0, 0),
                    CpuMs = run.WallMs,
                }
        );

        Assert.Equal((15, 0), ComparisonAnalysis.Compare(Side("a", others), Side("b", itself), s_query).DisturbedRuns);
    }

    [Fact]
    public void Processes_are_clusters_of_one_recording_and_recordings_are_of_several()
    {
        var twice = Runs("A").Concat(Runs("A", process: 2)).ToList();

        var one = ComparisonAnalysis.Compare(Side("a", twice), Side("b", twice), s_query).Pairs[0];
        var several = ComparisonAnalysis
            .Compare(
                new ComparedSide("a", [Recording("1", twice), Recording("2", twice), Recording("3", twice)]),
                Side("b", twice),
                s_query
            )
            .Pairs[0];

        Assert.Equal((2, 2), (one.Baseline.Clusters.Count, one.Other.Clusters.Count));
        Assert.Equal((3, 1), (several.Baseline.Clusters.Count, several.Other.Clusters.Count));
        Assert.Equal(90, several.Baseline.Count);
    }

    [Fact]
    public void Several_runtimes_against_one_is_an_error_that_says_what_to_name()
    {
        var several = Runs(
            "A",
            change: run => run with { Runtime = run.RunId % 2 == 0 ? "net8.0" : "net10.0", IsOneOfSeveralRuntimes = true }
        );

        var error = Assert.Throws<NotComparableException>(() =>
            ComparisonAnalysis.Compare(Side("all", several), Side("b", Runs("A")), s_query)
        );

        Assert.Contains("name the recording of one runtime (all/RUNTIME)", error.Message, StringComparison.Ordinal);
        Assert.Equal(
            ["net10.0", "net8.0"],
            ComparisonAnalysis.Compare(Side("a", several), Side("b", several), s_query).Pairs.Select(pair => pair.Key.Runtime).Order()
        );
    }

    [Fact]
    public void What_the_sides_ran_on_is_said_where_it_differs()
    {
        var baseline = Side("a", Host(2000, 2), Runs("A", change: run => run with { Samples = new RunSamples(100, 100, 0, 0) }));
        var other = Side("b", Host(3010, 4), Runs("A", change: run => run with { Samples = new RunSamples(100, 1000, 0, 0) }));

        Assert.Equal(
            ["CPU frequency: 2000 MHz against 3000 MHz", "logical processors: 2 against 4", "sampling interval: 1 ms against 10 ms"],
            ComparisonAnalysis.Compare(baseline, other, s_query).Differences
        );
        Assert.Equal(1, ComparisonAnalysis.Compare(baseline, other, s_query).OtherFactor);
    }

    [Fact]
    public void An_unknown_number_of_processors_is_not_compared()
    {
        var unknown = Side("a", Host(2000, 0), Runs("A"));
        var known = Side("b", Host(2000, 4), Runs("A"));

        Assert.Empty(ComparisonAnalysis.Compare(unknown, known, s_query).Differences);
    }

    [Fact]
    public void A_suite_compiled_ahead_of_time_differs_from_a_jitted_one_and_settings_it_lacks_are_not_compared()
    {
        var jitted = Suite("a", """{ "lines": [], "compilation": "by the JIT", "tieredPgo": true }""");
        var compiled = Suite("b", """{ "lines": [], "compilation": "ahead of time", "tieredPgo": null }""");

        Assert.Equal(["compilation: by the JIT against ahead of time"], ComparisonAnalysis.Compare(jitted, compiled, s_query).Differences);
        // A recording that does not have the setting yet.
        Assert.Empty(ComparisonAnalysis.Compare(jitted, Suite("c", """{ "lines": [], "tieredPgo": true }"""), s_query).Differences);

        static ComparedSide Suite(string name, string environment)
        {
            var side = Side(name, Host(2000, 2), Runs("A"));
            var recording = side.Recordings[0];
            var input = recording.Input.Recordings[0];
            var suite = input with
            {
                Description = input.Description with
                {
                    Environment = RunEnvironment.Parse(Encoding.UTF8.GetBytes(environment), "environment.json"),
                },
            };
            return side with { Recordings = [recording with { Input = recording.Input with { Recordings = [suite] } }] };
        }
    }

    [Fact]
    public void Samplers_that_differ_are_said_and_mean_intervals_that_differ_little_are_not()
    {
        var (perf, ptrace) = (Sampled("a", "perf", 1), Sampled("b", "ptrace", 0.97));

        Assert.Equal(["CPU sampler: perf against ptrace"], ComparisonAnalysis.Compare(perf, ptrace, s_query).Differences);
        Assert.Empty(ComparisonAnalysis.Compare(ptrace, Sampled("c", "ptrace", 0.91), s_query).Differences);

        static ComparedSide Sampled(string name, string sampler, double interval) =>
            Side(
                name,
                Host(2000, 2),
                Runs("A", change: run => run with { Samples = new RunSamples(100, 100 * interval, 0, 0) }),
                new RecordedKernelSession("perf.data", 1, [], 1000, 1, 0, 0, [], "") { Sampler = sampler }
            );
    }

    [Fact]
    public void Times_are_normalized_by_the_probes_or_else_by_the_clocks_when_asked()
    {
        var query = s_query with { Options = new ComparisonOptions { Normalize = true } };
        var probed = Runs("A", change: run => run with { ProbeBeforeNs = 100, ProbeAfterNs = 100 });
        var slowly = Runs("A", change: run => run with { ProbeBeforeNs = 150, ProbeAfterNs = 150, Runtime = "other" });

        Assert.Equal(
            1.5,
            ComparisonAnalysis.Compare(Side("a", Host(2000, 2), Runs("A")), Side("b", Host(3000, 2), Runs("A")), query).OtherFactor,
            9
        );
        Assert.Equal(
            1 / 1.5,
            ComparisonAnalysis.Compare(Side("a", Host(2000, 2), probed), Side("b", Host(3000, 2), slowly), query).OtherFactor,
            9
        );
        Assert.Throws<NotComparableException>(() => ComparisonAnalysis.Compare(Side("a", Runs("A")), Side("b", Runs("A")), query));
    }

    private static RecordingHost Host(double megahertz, int processors) =>
        new("m", "Linux", "X64", "cpu", processors, 1) { CpuMegahertz = megahertz };

    private static List<Run> Runs(string serializer, int process = 1, Func<Run, Run>? change = null) =>
        [
            .. Enumerable
                .Range(1, 15)
                .Select(run => Simulation.Run(process, run, 100 + (run * 0.1), serializer))
                .Select(change ?? (run => run)),
        ];

    private static ComparedSide Side(string name, params IReadOnlyList<Run>[] rows) =>
        new(name, [Recording(name, [.. rows.SelectMany(runs => runs)])]);

    private static ComparedSide Side(string name, RecordingHost host, IReadOnlyList<Run> runs, RecordedKernelSession? kernel = null)
    {
        var recording = Recording(name, runs);
        var description = new Recording(
            Traces.Recordings.Recording.CurrentSchema,
            "1",
            DateTime.UnixEpoch,
            1,
            true,
            "",
            [],
            "",
            false,
            host,
            [],
            [],
            "",
            []
        )
        {
            Kernel = kernel,
        };
        return new ComparedSide(
            name,
            [recording with { Input = recording.Input with { Recordings = [new InputRecording("", name, description)] } }]
        );
    }

    private static ComparedRecording Recording(string name, IReadOnlyList<Run> runs) =>
        new(
            name,
            new TraceInput([name], [], [], false, [], []),
            new AnalysisResult
            {
                Processes = [],
                Runs = runs,
                Rows = SummaryRow.Group(runs),
                FirstUseRows = [],
                Damages = [],
            }
        );
}
