using EtwSerializerProfiler.Analysis.Measures;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Size of a side's program, and memory of its processes.</summary>
/// <param name="ProgramBytes">Size of the program; null when not recorded.</param>
/// <param name="PeakWorkingSetBytes">
/// Median over rows of the largest working set of the row's processes; null when no row has it on both sides.
/// </param>
public sealed record SideFootprint(long? ProgramBytes, double? PeakWorkingSetBytes)
{
    /// <summary>Measures both sides over the rows that have a working set on both.</summary>
    /// <returns>The sides, and the number of these rows.</returns>
    public static (SideFootprint Baseline, SideFootprint Other, int Rows) Of(IReadOnlyList<ComparedPair> pairs)
    {
        ArgumentNullException.ThrowIfNull(pairs);
        var peaks = pairs
            .Select(pair => (Baseline: PeakOf(pair.Baseline), Other: PeakOf(pair.Other)))
            .Where(peak => peak is { Baseline: not null, Other: not null })
            .ToList();
        return (
            Side(pairs.Select(pair => pair.Baseline), peaks.Select(peak => (double)peak.Baseline!.Value)),
            Side(pairs.Select(pair => pair.Other), peaks.Select(peak => (double)peak.Other!.Value)),
            peaks.Count
        );

        static SideFootprint Side(IEnumerable<SideRuns> rows, IEnumerable<double> peaks) =>
            new(ProgramOf(rows), Statistics.Median([.. peaks]));
    }

    private static long? PeakOf(SideRuns runs) => runs.All.Max(FootprintMeasures.PeakWorkingSet.ValueOf);

    private static long? ProgramOf(IEnumerable<SideRuns> rows) => rows.SelectMany(runs => runs.All).Max(FootprintMeasures.Program.ValueOf);
}
