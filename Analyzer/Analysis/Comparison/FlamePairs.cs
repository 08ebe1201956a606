using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Finds rows with stacks on both sides.</summary>
public static class FlamePairs
{
    /// <summary>
    /// Number of measured runs of each row on both sides. A row's stacks cover all object counts, so both sides must have the same mix of
    /// them; else the mean per run would change with the mix.
    /// </summary>
    /// <param name="compared">The comparison.</param>
    /// <param name="filter">Selects the runs.</param>
    /// <param name="leftOut">Receives rows with different mixes of object counts.</param>
    public static IReadOnlyDictionary<SummaryKey, (int Base, int Other)> Of(
        ComparisonResult compared,
        RunFilter filter,
        out IReadOnlyList<string> leftOut
    )
    {
        ArgumentNullException.ThrowIfNull(compared);
        ArgumentNullException.ThrowIfNull(filter);
        var measured = filter with { AllKinds = false };
        var (before, after) = (Counts(compared.Baseline, measured), Counts(compared.Other, measured));
        var pairs = before.Keys.Where(after.ContainsKey).ToLookup(key => IsAlike(before[key], after[key]));
        leftOut = [.. pairs[false].Select(key => key.ToString()).Order(StringComparer.Ordinal)];
        return pairs[true].ToDictionary(key => key, key => (before[key].Values.Sum(), after[key].Values.Sum()));
    }

    /// <summary>Number of runs by row and object count.</summary>
    private static Dictionary<SummaryKey, Dictionary<int, int>> Counts(ComparedSide side, RunFilter filter) =>
        side
            .Recordings.SelectMany(recording => recording.Result.Runs)
            .Where(filter.Matches)
            .GroupBy(run => SummaryKey.Of(run) with { ObjectCount = 0 })
            .ToDictionary(
                row => row.Key,
                row => row.GroupBy(run => run.Identity.ObjectCount).ToDictionary(count => count.Key, count => count.Count())
            );

    private static bool IsAlike(Dictionary<int, int> before, Dictionary<int, int> after)
    {
        long all = before.Values.Sum(),
            others = after.Values.Sum();
        return before.Count == after.Count
            && before.All(count => after.TryGetValue(count.Key, out var other) && count.Value * others == other * all);
    }
}
