using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Growth;

/// <summary>
/// Power of the object count with which something grows: 1 is linear, 2 quadratic. It is fitted by least squares on the logarithms, with
/// one point per run, over the counts from <see cref="GrowthPoints.MinObjects"/> on, or over all if fewer than two are that large.
/// </summary>
/// <param name="Exponent">The exponent.</param>
/// <param name="Low">Lower bound of its 95 % interval.</param>
/// <param name="High">Upper bound.</param>
/// <param name="Counts">Number of fitted object counts.</param>
/// <param name="Points">Number of fitted runs.</param>
public sealed record GrowthLaw(double Exponent, double Low, double High, int Counts, int Points)
{
    /// <summary>
    /// Growth of the wall time without ready time and GC pauses, as <see cref="Findings.Rules.GrowthRule"/> uses it; null with fewer than
    /// two object counts.
    /// </summary>
    /// <param name="rows">Rows that differ only in their object count.</param>
    public static GrowthLaw? OfTime(IReadOnlyList<SummaryRow> rows)
    {
        var counted = Counted(rows).Where(row => GrowthPoints.Usable(row).Any()).ToList();
        return Fit(
            counted,
            [.. counted.SelectMany(row => GrowthPoints.Usual(row).Select(run => ((double)row.Key.ObjectCount, GrowthPoints.Time(run))))]
        );
    }

    /// <summary>Growth of the allocated bytes; also null when a run allocated nothing, or when allocation was not recorded.</summary>
    /// <inheritdoc cref="OfTime"/>
    public static GrowthLaw? OfAllocation(IReadOnlyList<SummaryRow> rows)
    {
        var counted = Counted(rows);
        return counted.Exists(row => row.AllocatedBytes is null)
            ? null
            : Fit(
                counted,
                [
                    .. counted.SelectMany(row =>
                        GrowthPoints.Completed(row).Select(run => ((double)row.Key.ObjectCount, run.AllocatedBytes!.Value / run.Operations))
                    ),
                ]
            );
    }

    private static List<SummaryRow> Counted(IReadOnlyList<SummaryRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        var counted = rows.Where(row => row.Key.ObjectCount > 0 && row.Runs > 0).ToList();
        var large = counted.FindAll(row => row.Key.ObjectCount >= GrowthPoints.MinObjects);
        return CountsOf(large) >= 2 ? large : counted;
    }

    private static int CountsOf(List<SummaryRow> rows) => rows.Select(row => row.Key.ObjectCount).Distinct().Count();

    private static GrowthLaw? Fit(List<SummaryRow> rows, IReadOnlyList<(double N, double Value)> points)
    {
        var counts = CountsOf(rows);
        return counts >= 2 && PowerLaw.Fit(points) is { } law ? new GrowthLaw(law.Exponent, law.Low, law.High, counts, law.Points) : null;
    }
}
