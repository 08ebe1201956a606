using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests.Comparison;

/// <summary>Simulates runs of a machine: log-normal times, one outlier in twenty runs, differences between processes.</summary>
/// <param name="seed">Seed, for reproducible numbers.</param>
internal sealed class Simulation(int seed)
{
    private readonly Random _random = new(seed);

    /// <summary>Runs of one side.</summary>
    /// <param name="processes">Processes.</param>
    /// <param name="runs">Runs of each.</param>
    /// <param name="middle">Center of the wall times in ms.</param>
    /// <param name="noise">Relative standard deviation of the runs of a process.</param>
    /// <param name="between">Relative standard deviation of processes.</param>
    /// <param name="wild">Share of runs that take up to twice as long.</param>
    public SideRuns Side(int processes, int runs, double middle = 100, double noise = 0.03, double between = 0, double wild = 0)
    {
        var clusters = new List<IReadOnlyList<Run>>();
        for (var process = 1; process <= processes; process++)
        {
            var own = middle * Math.Exp(between * Normal());
            clusters.Add([
                .. Enumerable
                    .Range(1, runs)
                    .Select(run =>
                        Run(process, run, own * Math.Exp(noise * Normal()) * (_random.NextDouble() < wild ? 1 + _random.NextDouble() : 1))
                    ),
            ]);
        }

        return new SideRuns(clusters, 0, 0);
    }

    /// <summary>A measured run.</summary>
    public static Run Run(int process, int run, double wallMs, string serializer = "A", int objects = 1000) =>
        new()
        {
            Process = new ProcessKey("", process),
            RunId = run,
            Identity = new RunIdentity(serializer, "", "", "Serialize", RunKind.Measured, objects, 0, run, 1),
            Delimiter = RunDelimiter.SelfReported,
            StartTicks = 0,
            StopTicks = (long)(wallMs * 1e6),
            StartMs = 0,
            StopMs = wallMs,
            WallMs = wallMs,
        };

    /// <summary>Number of comparisons of simulated sides with a verdict.</summary>
    public static int Count(
        int comparisons,
        int seed,
        Func<Simulation, (SideRuns Baseline, SideRuns Other)> sides,
        Func<MetricComparison, bool> counts,
        ComparisonOptions? options = null
    )
    {
        var count = 0;
        for (var i = 0; i < comparisons; i++)
        {
            var (baseline, other) = sides(new Simulation((seed * 1_000_003) + i));
            if (counts(MetricComparison.Of(Metric.Wall, baseline, other, options ?? new ComparisonOptions { AssumedBetween = 0 })))
                count++;
        }

        return count;
    }

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
