using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>All rows of one trace: what a store takes as a whole or not at all.</summary>
public sealed class TraceRows
{
    private readonly Dictionary<StoreTable, List<object?[]>> _rows = [];

    /// <summary>The rows of a trace, none yet but that of table trace.</summary>
    /// <param name="trace">The trace.</param>
    public TraceRows(StoredTrace trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        Trace = trace;
        Add(TraceTable.Table, trace);
    }

    /// <summary>The trace.</summary>
    public StoredTrace Trace { get; }

    /// <summary>Rows of all tables.</summary>
    public int Count => _rows.Values.Sum(rows => rows.Count);

    /// <summary>Rows of a table, in the order of its columns.</summary>
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
