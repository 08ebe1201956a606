using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>Answers of a store, and the questions that have names.</summary>
public static class QueryReport
{
    /// <summary>Asks a store and prints its answer.</summary>
    /// <param name="store">The store.</param>
    /// <param name="sql">The query.</param>
    /// <param name="title">What it is called; empty for a query of the user's own.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <exception cref="StoreException">The store cannot be read, or the query is wrong.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public static void Print(string store, string sql, string title, ReportFormat format, TextWriter output)
    {
        var address = StoreAddress.Parse(store);
        if (address.Selection.Length > 0)
            throw new StoreException(new Problem("a query asks the whole store, and '#' selects traces", store, "leave out the '#' and what stands behind it, and write a WHERE")) { IsUsage = true };
        using var opened = TraceStores.Open(address);
        using var reader = opened.Query(sql);
        var rows = Rows(reader);
        using var losses = opened.Query(StoreLosses.Sql);
        ReportPrinter.Write(Build(address, title, reader.Columns, rows, StoreLosses.Of(Rows(losses)[0])), format, output);
    }

    /// <summary>Prints the named queries.</summary>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    public static void PrintNames(ReportFormat format, TextWriter output)
    {
        var section = Section.Of("rows", "", NamedQueries.All, QueryColumns.Names, QueryColumns.Names);
        ReportPrinter.Write(new Report("queries", Nothing([]), AnalysisResult.OfFindings([]), [section], ["Ask one with: esp-analyze query STORE --named NAME"]) { Header = ["Named queries"] }, format, output);
    }

    /// <summary>Puts the answer together.</summary>
    internal static Report Build(StoreAddress address, string title, IReadOnlyList<StoreColumn> columns, IReadOnlyList<object?[]> rows, StoreLosses losses)
    {
        var section = Section.Of("rows", "", rows, QueryColumns.Of(columns), QueryColumns.Of(columns), whenEmpty: "(no rows)");
        return new Report("query", Nothing([address.Shown]), AnalysisResult.OfFindings([]), [section], [string.Create(CultureInfo.InvariantCulture, $"Rows: {rows.Count}"), losses.Line])
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
