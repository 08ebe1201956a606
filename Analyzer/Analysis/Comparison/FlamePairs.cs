using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>The rows whose stacks two sides have in common.</summary>
public static class FlamePairs
{
    /// <summary>
    /// Measured runs of each row on both sides. The stacks of a row are over all object counts, so the sides must have run the same shares of them: else its mean a run would change with the mix.
    /// </summary>
    /// <param name="compared">What was compared.</param>
    /// <param name="filter">Which runs count.</param>
    /// <param name="leftOut">Rows of other shares of the object counts.</param>
    public static IReadOnlyDictionary<SummaryKey, (int Base, int Other)> Of(ComparisonResult compared, RunFilter filter, out IReadOnlyList<string> leftOut)
    {
        ArgumentNullException.ThrowIfNull(compared);
        ArgumentNullException.ThrowIfNull(filter);
        var measured = filter with { AllKinds = false };
        var (before, after) = (Counts(compared.Baseline, measured), Counts(compared.Other, measured));
        var pairs = before.Keys.Where(after.ContainsKey).ToLookup(key => IsAlike(before[key], after[key]));
        leftOut = [.. pairs[false].Select(key => key.ToString()).Order(StringComparer.Ordinal)];
        return pairs[true].ToDictionary(key => key, key => (before[key].Values.Sum(), after[key].Values.Sum()));
    }

    /// <summary>Runs by row and object count.</summary>
    private static Dictionary<SummaryKey, Dictionary<int, int>> Counts(ComparedSide side, RunFilter filter) =>
        side.Recordings.SelectMany(recording => recording.Result.Runs).Where(filter.Matches).GroupBy(run => SummaryKey.Of(run) with { ObjectCount = 0 })
            .ToDictionary(row => row.Key, row => row.GroupBy(run => run.Identity.ObjectCount).ToDictionary(count => count.Key, count => count.Count()));

    private static bool IsAlike(Dictionary<int, int> before, Dictionary<int, int> after)
    {
        long all = before.Values.Sum(), others = after.Values.Sum();
        return before.Count == after.Count && before.All(count => after.TryGetValue(count.Key, out var other) && count.Value * others == other * all);
    }
}
