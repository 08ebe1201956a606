using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>Prints results of queries, and the list of named queries.</summary>
public static class QueryReport
{
    /// <summary>Executes a query and prints its result.</summary>
    /// <param name="store">The store.</param>
    /// <param name="sql">The query.</param>
    /// <param name="title">Title of a named query; empty for a user's query.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <exception cref="StoreException">The store cannot be read, or the query is invalid.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public static void Print(string store, string sql, string title, ReportFormat format, TextWriter output)
    {
        var address = StoreAddress.Parse(store);
        if (address.Selection.Length > 0)
            throw new StoreException(
                new Problem(
                    "a query always uses the whole store, so '#' is not allowed",
                    store,
                    "remove the '#' with everything after it, and use WHERE"
                )
            )
            {
                IsUsage = true,
            };
        using var opened = TraceStores.Open(address);
        using var reader = opened.Query(sql);
        var rows = Rows(reader);
        using var losses = opened.Query(StoreLosses.Sql);
        ReportPrinter.Write(Build(address, title, reader.Columns, rows, StoreLosses.Of(Rows(losses)[0])), format, output);
    }

    /// <summary>Prints the named queries.</summary>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    public static void PrintNames(ReportFormat format, TextWriter output)
    {
        var section = Section.Of("rows", "", NamedQueries.All, QueryColumns.Names, QueryColumns.Names);
        ReportPrinter.Write(
            new Report(
                "queries",
                Nothing([]),
                AnalysisResult.OfFindings([]),
                [section],
                ["Run one with: esp-analyze query STORE --named NAME"]
            )
            {
                Header = ["Named queries"],
            },
            format,
            output
        );
    }

    internal static Report Build(
        StoreAddress address,
        string title,
        IReadOnlyList<StoreColumn> columns,
        IReadOnlyList<object?[]> rows,
        StoreLosses losses
    )
    {
        var section = Section.Of("rows", "", rows, QueryColumns.Of(columns), QueryColumns.Of(columns), whenEmpty: "(no rows)");
        return new Report(
            "query",
            Nothing([address.Shown]),
            AnalysisResult.OfFindings([]),
            [section],
            [string.Create(CultureInfo.InvariantCulture, $"Rows: {rows.Count}"), losses.Line]
        )
        {
            Header = title.Length > 0 ? [$"Store {address.Shown}", title] : [$"Store {address.Shown}"],
            Summary = [("store", address.Shown), ("query", title), ("rowCount", rows.Count), .. losses.Values],
        };
    }

    private static List<object?[]> Rows(IStoreReader reader)
    {
        var rows = new List<object?[]>();
        while (reader.Next() is { } row)
            rows.Add(row);
        return rows;
    }

    private static TraceInput Nothing(IReadOnlyList<string> files) => new(files, [], [], HasRunCsv: false, [], files);
}
