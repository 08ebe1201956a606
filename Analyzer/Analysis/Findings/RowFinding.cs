using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>
/// Creates a finding on several rows in one sentence: the problem, the worst rows with their numbers, the advice. Each row is an evidence
/// number, and its worst run a location.
/// </summary>
internal static class RowFinding
{
    /// <summary>Whether a row is a program without marks, to which advice on serializers, warm-ups and benchmarks does not apply.</summary>
    public static bool IsProgram(SummaryRow row) => row.AllRuns[0].Delimiter == RunDelimiter.WholeProcess;

    /// <summary>Maximum number of rows in the sentence; the others are counted.</summary>
    private const int MaxNamed = 3;

    /// <summary>Creates a hint on <paramref name="rows"/>; none when there are no rows.</summary>
    /// <param name="code">Stable name.</param>
    /// <param name="what">The problem.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="severity">A row's evidence number, in <paramref name="unit"/>; the largest is the worst.</param>
    /// <param name="number">Number that the sentence gives for a row.</param>
    /// <param name="advice">How to fix it.</param>
    /// <param name="unit">Unit of the severity.</param>
    /// <param name="worst">Ranks the runs of a row; null ranks them by wall time.</param>
    /// <param name="costMs">Time that the problem costs a row, in ms; null when it is not expressed as time.</param>
    public static IEnumerable<Finding> Hint(
        string code,
        string what,
        IEnumerable<SummaryRow> rows,
        Func<SummaryRow, double?> severity,
        Func<SummaryRow, FormattableString> number,
        string advice,
        string unit = "%",
        Func<Run, double?>? worst = null,
        Func<SummaryRow, double?>? costMs = null
    )
    {
        var ordered = rows.OrderByDescending(severity).ToList();
        if (ordered.Count == 0)
            yield break;
        var named = string.Join(", ", ordered.Take(MaxNamed).Select(row => $"{row.Key} ({FormattableString.Invariant(number(row))})"));
        var others =
            ordered.Count > MaxNamed ? $" and {ordered.Count - MaxNamed} more {(ordered.Count == MaxNamed + 1 ? "row" : "rows")}" : "";
        yield return new Finding(FindingKind.Hint, code, $"{what}: {named}{others}; {advice}")
        {
            Advice = advice,
            Evidence = [.. ordered.Select(row => new FindingEvidence(row.Key.ToString(), severity(row)!.Value, unit))],
            Locations =
            [
                .. ordered.Select(row =>
                    FindingLocation.Of(row.CountedRuns.OrderByDescending(worst ?? (run => run.WallMs)).ThenBy(run => run.RunId).First())
                ),
            ],
            CostMs = costMs is not null && ordered.Any(row => costMs(row) is not null) ? ordered.Sum(costMs) : null,
        };
    }
}
