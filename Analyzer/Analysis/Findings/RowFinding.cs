using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Says one thing of several rows in one sentence: what, the worst rows with their figure, what to do.</summary>
internal static class RowFinding
{
    /// <summary>Rows that are named; the others are counted.</summary>
    private const int MostNamed = 3;

    /// <summary>The hint of <paramref name="rows"/>; none when there are no rows.</summary>
    /// <param name="code">Stable name.</param>
    /// <param name="what">What is the matter.</param>
    /// <param name="rows">Rows it is the matter with.</param>
    /// <param name="severity">Orders them, the worst is the largest.</param>
    /// <param name="figure">The figure of a row.</param>
    /// <param name="advice">What to do.</param>
    public static IEnumerable<Finding> Hint(
        string code, string what, IEnumerable<SummaryRow> rows, Func<SummaryRow, double?> severity, Func<SummaryRow, FormattableString> figure, string advice)
    {
        var worst = rows.OrderByDescending(severity).ToList();
        if (worst.Count == 0)
            yield break;
        var named = string.Join(", ", worst.Take(MostNamed).Select(row => $"{row.Key} ({FormattableString.Invariant(figure(row))})"));
        var others = worst.Count > MostNamed ? $" and {worst.Count - MostNamed} more rows" : "";
        yield return new Finding(FindingKind.Hint, code, $"{what}: {named}{others}; {advice}");
    }
}
