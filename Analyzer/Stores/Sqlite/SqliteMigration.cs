using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>A step from one version of the schema to the next.</summary>
/// <param name="From">Version that it begins with; it ends with the next.</param>
/// <param name="Statements">What it does, in order; all of it happens or nothing.</param>
internal sealed record SqliteMigration(int From, IReadOnlyList<string> Statements)
{
    /// <summary>Does it.</summary>
    public void Run(SqliteConnection connection, SqliteTransaction transaction)
    {
        foreach (var statement in Statements)
            SqliteFile.Execute(connection, statement, transaction);
    }
}
