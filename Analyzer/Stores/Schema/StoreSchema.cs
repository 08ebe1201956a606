using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Schema;

/// <summary>The tables of a store; docs/schema.md is generated from it.</summary>
public static class StoreSchema
{
    /// <summary>All tables. A trace's row in the first table signals that all other rows of the trace exist.</summary>
    public static IReadOnlyList<StoreTable> Tables { get; } =
    [
        TraceTable.Table,
        EnvironmentTable.Table,
        ProcessTable.Table,
        RunTable.Table,
        ResultTable.Table,
        CauseTable.Table,
        MethodTable.Table,
        GcTable.Table,
        AllocationTable.Table,
        ExceptionTable.Table,
        LockTable.Table,
        JitTable.Table,
        FindingTable.Table,
        LossTable.Table,
    ];

    /// <summary>
    /// Version of the tables: that of the newest column. It is part of each trace's key, so a new version extracts all traces again.
    /// </summary>
    public static int Version { get; } = Tables.SelectMany(table => table.Columns).Max(column => column.Since);

    /// <summary>Tables with rows for every trace, whatever was requested.</summary>
    public static IReadOnlyList<StoreTable> Always { get; } =
    [TraceTable.Table, EnvironmentTable.Table, ProcessTable.Table, LossTable.Table];

    /// <summary>Finds a table by name; null when there is none.</summary>
    public static StoreTable? Find(string name) =>
        Tables.FirstOrDefault(table => table.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The tables that match a word of a command line: a name, a part of one, or the plural (<c>runs</c>).</summary>
    public static IReadOnlyList<StoreTable> MeantBy(string word)
    {
        ArgumentNullException.ThrowIfNull(word);
        var names = Tables.Select(table => table.Name).ToList();
        var found =
            NameChoice.Find(word, names) is { Count: > 0 } meant ? meant
            : word.EndsWith('s') ? NameChoice.Find(word[..^1], names)
            : [];
        return [.. Tables.Where(table => found.Contains(table.Name))];
    }
}
