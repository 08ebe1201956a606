using System.Globalization;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Tests;

/// <summary>Traces with made-up rows, for tests of stores that work with any rows.</summary>
internal static class MadeTraces
{
    /// <summary>A trace with rows in four tables.</summary>
    /// <param name="trace">Name of its content.</param>
    /// <param name="name">Its path.</param>
    /// <param name="rows">Rows in table cause.</param>
    /// <param name="status">Its status.</param>
    public static TraceRows Make(string trace, string name, int rows = 3, string status = StoredTrace.Extracted)
    {
        var made = new TraceRows(
            new StoredTrace
            {
                Trace = trace,
                ContentHash = trace + "ff",
                Name = name,
                Status = status,
                Error = status == StoredTrace.Failed ? "it's \"broken\", \nsomehow; ü 漢 🙂" : "",
                Format = "nettrace",
                Bytes = long.MaxValue,
                RecordedUtc = "2026-11-21 03:00:00",
                DurationMs = 0.1 + 0.2,
                Branch = "main",
                RunsFound = 3,
            }
        );
        for (var i = 0; i < rows; i++)
            made.Add(CauseTable.Table, new StoredCause(i, i + 1, "own", "", Math.PI / (i + 1)));
        made.Add(
            LossTable.Table,
            new StoredLoss
            {
                Number = 1,
                Kind = "problem",
                Text = "tab\tcomma, quote\" and 'quote'",
            }
        );
        made.Add(
            GcTable.Table,
            new StoredGc
            {
                Generation = 2,
                PauseMs = 1e-9,
                PauseInRunsMs = double.MaxValue,
                BytesAfter = long.MinValue,
            }
        );
        return made;
    }

    /// <summary>All rows of a store as text, a line each, in the order in which they were put in.</summary>
    public static IReadOnlyList<string> Dump(ITraceStore store, IReadOnlyCollection<string>? traces = null)
    {
        var lines = new List<string>();
        foreach (var table in StoreSchema.Tables)
        {
            using var reader = store.Read(table, traces);
            while (reader.Next() is { } row)
                lines.Add(Line(table, row));
        }

        return lines;
    }

    /// <summary>All rows of a trace in the same form.</summary>
    public static IReadOnlyList<string> Dump(TraceRows rows) =>
        [.. StoreSchema.Tables.SelectMany(table => rows.Of(table).Select(row => Line(table, row)))];

    private static string Line(StoreTable table, object?[] row) =>
        $"{table.Name}: {string.Join(" | ", row.Select(value => value is null ? "null" : $"{value.GetType().Name} {Convert.ToString(value, CultureInfo.InvariantCulture)}"))}";
}
