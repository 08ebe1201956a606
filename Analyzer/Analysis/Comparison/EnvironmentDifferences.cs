using System.Globalization;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Finds differences between the environments of two sides.</summary>
internal static class EnvironmentDifferences
{
    /// <summary>Ratio below which two mean intervals count as equal: with ptrace, each sample has its own weight.</summary>
    private const double SameInterval = 1.25;

    /// <summary>Finds the differences.</summary>
    /// <returns>One sentence each, without a full stop.</returns>
    public static IReadOnlyList<string> Find(ComparedSide baseline, ComparedSide other)
    {
        var differences = new List<string>();
        Compare(EnvironmentFacts.OfMachine);
        var (from, to) = (SampleIntervals(baseline), SampleIntervals(other));
        if (from.Any(one => to.Exists(two => Math.Max(one, two) > SameInterval * Math.Min(one, two))))
            Add("sampling interval", Milliseconds(from), Milliseconds(to));
        Compare(EnvironmentFacts.OfRuns);
        Add("runtime", baseline.Runtimes, other.Runtimes);
        return differences;

        void Compare(IReadOnlyList<(string Name, Func<InputEnvironment, string> Value)> facts)
        {
            foreach (var (name, value) in facts)
                Add(name, Values(baseline, value), Values(other, value));
        }

        void Add(string what, IReadOnlyList<string> from, IReadOnlyList<string> to)
        {
            if (from.Count > 0 && to.Count > 0 && !from.SequenceEqual(to))
                differences.Add($"{what}: {string.Join(", ", from)} against {string.Join(", ", to)}");
        }
    }

    /// <summary>Clock rate of the first processor of a side's machine in MHz, a mean over its recordings; null when unknown.</summary>
    public static double? Megahertz(ComparedSide side)
    {
        var known = Environments(side).Select(environment => environment.CpuMegahertz ?? 0).Where(megahertz => megahertz > 0).ToList();
        return known.Count > 0 ? known.Average() : null;
    }

    private static List<string> Values(ComparedSide side, Func<InputEnvironment, string> text) =>
        [.. Environments(side).Select(text).Where(value => value.Length > 0).Distinct().Order(StringComparer.Ordinal)];

    private static IEnumerable<InputEnvironment> Environments(ComparedSide side) =>
        side.Recordings.SelectMany(recording => recording.Input.Environments);

    /// <summary>CPU time per sample, from the samples themselves.</summary>
    private static List<double> SampleIntervals(ComparedSide side) =>
        [
            .. side
                .Recordings.Select(recording => recording.Result.Runs.Where(run => run.Samples is { Count: > 0 }).ToList())
                .Where(runs => runs.Count > 0)
                .Select(runs => runs.Sum(run => run.Samples!.CpuMs) / runs.Sum(run => run.Samples!.Count)),
        ];

    private static List<string> Milliseconds(IEnumerable<double> intervals) =>
        [
            .. intervals
                .Select(interval => interval.ToString("0.###", CultureInfo.InvariantCulture) + " ms")
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];
}
