using System.Globalization;
using EtwSerializerProfiler.Analysis.Requests;

namespace EtwSerializerProfiler.Reports.Columns;

/// <summary>Columns of the table of HTTP requests. docs/metrics.md defines each column; a test compares both.</summary>
public static class RequestColumns
{
    /// <summary>All columns.</summary>
    public static IReadOnlyList<Column<RequestRow>> All { get; } =
    [
        .. RunsColumns.Of<RequestRow>(row => row.Runs),
        new("side", "Side", row => row.Side.ToString()),
        new("request", "Request", row => row.Name),
        new("count", "Count", row => row.Count, "0"),
        new("failed", "Failed", row => row.Failed, "0"),
        new("open", "Open", row => row.Open, "0"),
        new("statuses", "Status", row => Statuses(row)) { Absent = _ => Column<RequestRow>.NotApplicable },
        new("totalMs", "Total ms", row => row.TotalMs, "0.0"),
        Time("medianMs", "Median ms", row => row.MedianMs),
        Time("p95Ms", "95 % ms", row => row.P95Ms),
        Time("maxMs", "Max ms", row => row.MaxMs),
        new("maxStartMs", null, row => row.Longest?.StartMs, "0.000"),
    ];

    private static Column<RequestRow> Time(string key, string header, Func<RequestRow, double?> value) =>
        new(key, header, row => value(row), "0.000") { Absent = _ => Column<RequestRow>.NotApplicable };

    /// <summary>HTTP statuses with their counts; a single status without count.</summary>
    private static string? Statuses(RequestRow row) =>
        row.Statuses switch
        {
            [] => null,
            [var only] => Status(only.Status),
            var several => string.Join(
                ", ",
                several.Select(item => string.Create(CultureInfo.InvariantCulture, $"{Status(item.Status)}: {item.Count}"))
            ),
        };

    private static string Status(int status) => status == 0 ? "no response" : status.ToString(CultureInfo.InvariantCulture);
}
