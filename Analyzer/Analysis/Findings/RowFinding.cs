using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Says one thing of several rows in one sentence: what, the worst rows with their figure, what to do. Each row is a number of the evidence, its worst run a place.</summary>
internal static class RowFinding
{
    /// <summary>Whether a row is a program without marks; advice about serializers, warm-ups and benchmarks does not fit it.</summary>
    public static bool IsProgram(SummaryRow row) => row.AllRuns[0].Delimiter == RunDelimiter.WholeProcess;

    /// <summary>Rows that are named; the others are counted.</summary>
    private const int MostNamed = 3;

    /// <summary>The hint of <paramref name="rows"/>; none when there are no rows.</summary>
    /// <param name="code">Stable name.</param>
    /// <param name="what">What is the matter.</param>
    /// <param name="rows">Rows it is the matter with.</param>
    /// <param name="severity">A row's number of the evidence, in <paramref name="unit"/>; orders them, the worst is the largest.</param>
    /// <param name="figure">The figure of a row in the sentence.</param>
    /// <param name="advice">How to fix it.</param>
    /// <param name="unit">Unit of the severity.</param>
    /// <param name="worst">What makes a run of the row its worst; null for its wall time.</param>
    /// <param name="costMs">Time that a row loses by it, in ms; null when it has no such price.</param>
    public static IEnumerable<Finding> Hint(
        string code, string what, IEnumerable<SummaryRow> rows, Func<SummaryRow, double?> severity, Func<SummaryRow, FormattableString> figure, string advice, string unit = "%", Func<Run, double?>? worst = null, Func<SummaryRow, double?>? costMs = null)
    {
        var ordered = rows.OrderByDescending(severity).ToList();
        if (ordered.Count == 0)
            yield break;
        var named = string.Join(", ", ordered.Take(MostNamed).Select(row => $"{row.Key} ({FormattableString.Invariant(figure(row))})"));
        var others = ordered.Count > MostNamed ? $" and {ordered.Count - MostNamed} more {(ordered.Count == MostNamed + 1 ? "row" : "rows")}" : "";
        yield return new Finding(FindingKind.Hint, code, $"{what}: {named}{others}; {advice}")
        {
            Advice = advice,
            Evidence = [.. ordered.Select(row => new FindingFigure(row.Key.ToString(), severity(row)!.Value, unit))],
            Places = [.. ordered.Select(row => FindingPlace.Of(row.CountedRuns.OrderByDescending(worst ?? (run => run.WallMs)).ThenBy(run => run.RunId).First()))],
            CostMs = costMs is not null && ordered.Any(row => costMs(row) is not null) ? ordered.Sum(costMs) : null,
        };
    }
}
