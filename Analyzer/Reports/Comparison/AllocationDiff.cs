using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Reports.Comparison;

/// <summary>Types with different allocations on the two sides.</summary>
internal static class AllocationDiff
{
    /// <summary>Compares the types over all runs of each pair.</summary>
    /// <returns>The rows of each pair, largest difference first.</returns>
    /// <exception cref="NotRecordedException">A side did not record allocations.</exception>
    public static IReadOnlyList<AllocationDiffRow> Of(ComparisonResult compared, RunFilter filter, int top)
    {
        var keys = compared.Pairs.Select(pair => pair.Key).ToList();
        var (baseline, other) = (BytesByType(compared.Baseline, filter), BytesByType(compared.Other, filter));
        return
        [
            .. keys.SelectMany(key =>
                baseline
                    .Keys.Union(other.Keys)
                    .Where(type => type.Key == key)
                    .Select(type => new AllocationDiffRow(key, type.Type, baseline.GetValueOrDefault(type), other.GetValueOrDefault(type)))
                    .OrderByDescending(row => Math.Abs(row.Difference))
                    .ThenBy(row => row.Type, StringComparer.Ordinal)
                    .Take(top)
            ),
        ];
    }

    private static Dictionary<(SummaryKey Key, string Type), double> BytesByType(ComparedSide side, RunFilter filter)
    {
        var sums = new Dictionary<(SummaryKey Key, string Type), double>();
        var runs = new Dictionary<SummaryKey, int>();
        foreach (var recording in side.Recordings)
        {
            var byRuntime = recording.Result.Runs.Any(run => run.IsOneOfSeveralRuntimes);
            foreach (var row in recording.Result.Runs.Where(filter.Matches).GroupBy(run => SummaryKey.Of(run)))
                runs[Key(row.Key)] = runs.GetValueOrDefault(Key(row.Key)) + row.Count();
            foreach (var row in Rows(recording, filter))
                sums[(Key(row.Runs), row.Type)] = sums.GetValueOrDefault((Key(row.Runs), row.Type)) + row.Bytes;

            SummaryKey Key(SummaryKey key) => byRuntime ? key : key with { Runtime = "" };
        }

        return sums.ToDictionary(sum => sum.Key, sum => sum.Value / Math.Max(1, runs.GetValueOrDefault(sum.Key.Key)));
    }

    /// <summary>Bytes by row and type, from events or from a store, which has them only by row.</summary>
    private static IEnumerable<(SummaryKey Runs, string Type, double Bytes)> Rows(ComparedRecording recording, RunFilter filter)
    {
        if (!recording.IsStored)
        {
            return AllocationAnalysis
                .Run(
                    recording.Input.Processes,
                    recording.Result.Runs,
                    new EventQuery(filter, null),
                    AllocationGrouping.Type,
                    SymbolFiles.Of(recording.Input)
                )
                .AllRows.Select(row => (row.Runs, row.Type ?? "(unknown)", row.Bytes));
        }

        if (recording.StoredAllocations is not { } stored)
            throw new NotRecordedException("allocations", "record them with esp-record --alloc, and extract without --only");
        var keys = recording.Result.Runs.Where(filter.Matches).Select(run => SummaryKey.Of(run)).ToHashSet();
        return stored.Where(row => keys.Contains(row.Runs));
    }
}

/// <summary>Allocations of one type on both sides, in bytes per run, by the trace's events.</summary>
/// <param name="Key">The pair.</param>
/// <param name="Type">Name of the type.</param>
/// <param name="Baseline">Bytes of the base side.</param>
/// <param name="Other">Bytes of the other side.</param>
public sealed record AllocationDiffRow(SummaryKey Key, string Type, double Baseline, double Other)
{
    /// <summary>Difference: other minus base.</summary>
    public double Difference => Other - Baseline;
}
