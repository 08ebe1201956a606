using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>The tables of a store. docs/schema.md is written from it.</summary>
public static class StoreSchema
{
    /// <summary>All tables. A trace's row of the first one says that all its other rows are there.</summary>
    public static IReadOnlyList<StoreTable> Tables { get; } =
    [
        TraceTable.Table, EnvironmentTable.Table, ProcessTable.Table, RunTable.Table, ResultTable.Table, CauseTable.Table, MethodTable.Table, GcTable.Table, AllocationTable.Table, ExceptionTable.Table,
        LockTable.Table, JitTable.Table, FindingTable.Table, LossTable.Table,
    ];

    /// <summary>Version of the tables: that of the newest column. Part of each trace's key, so that traces are extracted anew when it changes.</summary>
    public static int Version { get; } = Tables.SelectMany(table => table.Columns).Max(column => column.Since);

    /// <summary>Tables that every trace has rows in, whatever was asked for.</summary>
    public static IReadOnlyList<StoreTable> Always { get; } = [TraceTable.Table, EnvironmentTable.Table, ProcessTable.Table, LossTable.Table];

    /// <summary>The table of a name; null when there is none.</summary>
    public static StoreTable? Find(string name) => Tables.FirstOrDefault(table => table.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The tables that a word on a command line means: a name, a part of one, or the plural (<c>runs</c>).</summary>
    public static IReadOnlyList<StoreTable> MeantBy(string word)
    {
        ArgumentNullException.ThrowIfNull(word);
        var names = Tables.Select(table => table.Name).ToList();
        var found = NameChoice.Find(word, names) is { Count: > 0 } meant ? meant : word.EndsWith('s') ? NameChoice.Find(word[..^1], names) : [];
        return [.. Tables.Where(table => found.Contains(table.Name))];
    }
}
