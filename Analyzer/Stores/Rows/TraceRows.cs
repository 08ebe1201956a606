using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>All rows of one trace, which a store inserts atomically.</summary>
public sealed class TraceRows
{
    private readonly Dictionary<StoreTable, List<object?[]>> _rows = [];

    /// <summary>Creates the rows of a trace with only that of table trace.</summary>
    /// <param name="trace">The trace.</param>
    public TraceRows(StoredTrace trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        Trace = trace;
        Add(TraceTable.Table, trace);
    }

    /// <summary>The trace.</summary>
    public StoredTrace Trace { get; }

    /// <summary>Number of rows of all tables.</summary>
    public int Count => _rows.Values.Sum(rows => rows.Count);

    /// <summary>Rows of a table, with values in the order of its columns.</summary>
    public IReadOnlyList<object?[]> Of(StoreTable table) => _rows.GetValueOrDefault(table, []);

    /// <summary>Adds a row.</summary>
    public void Add<T>(StoreTable<T> table, T row)
    {
        ArgumentNullException.ThrowIfNull(table);
        if (!_rows.TryGetValue(table, out var rows))
            _rows.Add(table, rows = []);
        rows.Add(table.Row(Trace.Trace, row));
    }
}
