using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Findings.Rules;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

public sealed class NoisyMachineTests
{
    [Fact]
    public void Slow_probes_are_reported_with_the_rows_that_they_hit()
    {
        var input = RuleInput.Of([
            .. Probed(1, "Hit", 100, 100, 190, 130, 100),
            .. Probed(11, "Touched", 100, 100, 126, 100, 100, 100, 100, 100, 100, 100, 100),
            .. Probed(31, "Spared", 125, 100, 110, 100),
        ]);

        var finding = RuleInput.Only(new NoisyMachineRule(), input);

        Assert.Equal(
            (FindingKind.Hint, "noisy-machine", "record with -steady, or on another machine"),
            (finding.Kind, finding.Code, finding.Advice)
        );
        Assert.Contains(
            "around 3 of 20 measured runs, by its speed probe; rows with the largest shares: Hit Serialize N=1000 (40 %); record",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal([15.0, 40.0], finding.Evidence.Select(figure => Math.Round(figure.Value, 6)));
        Assert.Equal(3, Assert.Single(finding.Locations).RunId);

        var recording = RuleInput.Recording();
        var steady = input with
        {
            Recordings = [new InputRecording("", "folder", recording.Description with { Command = ["esp-workload", "-steady"] })],
        };
        Assert.Equal("make more runs, or record on another machine", RuleInput.Only(new NoisyMachineRule(), steady).Advice);
    }

    [Fact]
    public void A_probe_after_the_run_counts_like_one_before()
    {
        var runs = Probed(1, "Json", 100, 100, 100)
            .Select(run => run with { ProbeBeforeNs = 100, ProbeAfterNs = run.RunId == 1 ? 100 : 126 });

        Assert.Contains("around 2 of 3", RuleInput.Only(new NoisyMachineRule(), RuleInput.Of([.. runs])).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void One_slow_run_steady_ones_and_runs_without_probes_are_not() =>
        Assert.Empty(
            new NoisyMachineRule().Check(
                RuleInput.Of([
                    .. Probed(1, "One", 100, 200, 100),
                    .. Probed(11, "Steady", 100, 124, 125, 101),
                    RuleInput.Run(21, 50, "None"),
                    RuleInput.Run(22, 200, "None"),
                ])
            )
        );

    [Fact]
    public void Time_ready_without_a_processor_is_reported()
    {
        var finding = RuleInput.Only(
            new NoisyMachineRule(),
            RuleInput.Of(Ready(1, "Json", 100, 2), Ready(2, "Json", 100, 10), Ready(3, "Calm", 100, 5))
        );

        Assert.Contains(
            "waited for a processor for over 5 % of the time: Json Serialize N=1000 (6 %); end other programs",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Equal(6, Assert.Single(finding.Evidence).Value);
        Assert.Equal(2, Assert.Single(finding.Locations).RunId);
    }

    [Fact]
    public void Rows_of_several_threads_compete_with_themselves()
    {
        var run = Ready(1, "Json", 100, 50);

        Assert.Empty(new NoisyMachineRule().Check(RuleInput.Of(run with { Identity = run.Identity with { ThreadCount = 4 } })));
    }

    private static IEnumerable<Run> Probed(int firstId, string serializer, params double[] probes) =>
        probes.Select(
            (probe, index) =>
                RuleInput.Run(firstId + index, 50, serializer) with
                {
                    ProbeBeforeNs = probe,
                    ProbeAfterNs = 100,
                    BestProbeNs = 100,
                }
        );

    private static Run Ready(int id, string serializer, double wallMs, double readyMs) =>
        RuleInput.Run(id, wallMs, serializer) with
        {
            Measuring = new MeasuringTimes(wallMs - readyMs, 0, readyMs, ReadySource.ReadyEvent, 0, 3),
        };
}
