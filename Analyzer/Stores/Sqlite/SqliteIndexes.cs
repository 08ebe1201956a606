namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>Indexes beside those of the trace: what named queries find rows by.</summary>
internal static class SqliteIndexes
{
    /// <summary>Table and its columns.</summary>
    public static IReadOnlyList<(string Table, string Columns)> All { get; } = [("trace", "name")];
}
