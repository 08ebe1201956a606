using System.Globalization;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Reports;

/// <summary>HTTP requests of a program in its summary and on its page: the routes with the most total time.</summary>
internal static class RequestSummary
{
    private const int ServedShown = 5;
    private const int SentShown = 2;
    private const int MaxRowsOnPage = 20;

    /// <summary>One line for served and one for sent requests, if any.</summary>
    /// <param name="runs">The program's row in the table.</param>
    /// <param name="requests">The requests; null when they were not recorded.</param>
    public static IEnumerable<string> Lines(SummaryKey runs, RequestResult? requests)
    {
        foreach (
            var (side, verb, shown) in ((RequestSide, string, int)[])
                [(RequestSide.Served, "served", ServedShown), (RequestSide.Sent, "sent", SentShown)]
        )
        {
            var rows = Rows(runs, requests).FindAll(row => row.Side == side);
            if (rows.Count > 0)
                yield return $"Requests {verb}: {Counts(rows)}; median/95 %/max ms: {string.Join(", ", rows.Where(row => row.Count > 0).Take(shown).Select(Of))}";
        }
    }

    /// <summary>The requests of a program as a table; null when there are none.</summary>
    /// <inheritdoc cref="Lines"/>
    public static Section? Table(SummaryKey runs, RequestResult? requests) =>
        Rows(runs, requests) is { Count: > 0 } rows
            ? Section.ForPeople(
                "HTTP requests by route, the most total time first",
                [.. rows.Take(MaxRowsOnPage)],
                RunsColumns.OfPrograms(RequestColumns.All, several: false)
            )
            : null;

    private static List<RequestRow> Rows(SummaryKey runs, RequestResult? requests) =>
        requests?.AllRows.Where(row => row.Runs == runs).ToList() ?? [];

    private static string Counts(List<RequestRow> rows)
    {
        var (failed, open) = (rows.Sum(row => row.Failed), rows.Sum(row => row.Open));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{rows.Sum(row => row.Count)}{(failed > 0 ? $", {failed} failed" : "")}{(open > 0 ? $", {open} still open" : "")}"
        );
    }

    private static string Of(RequestRow row) =>
        string.Create(CultureInfo.InvariantCulture, $"{row.Name} {Ms(row.MedianMs)}/{Ms(row.P95Ms)}/{Ms(row.MaxMs)} ({row.Count})");

    private static string Ms(double? ms) =>
        ms is null
            ? Column<RequestRow>.NotApplicable
            : ms.Value.ToString(
                ms switch
                {
                    < 1 => "0.00",
                    < 10 => "0.0",
                    _ => "0",
                },
                CultureInfo.InvariantCulture
            );
}
