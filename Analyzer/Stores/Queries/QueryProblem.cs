using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Queries;

/// <summary>Creates the errors of refused queries, with hints on tables and columns.</summary>
internal static partial class QueryProblem
{
    /// <summary>Maximum characters of the query in an error.</summary>
    private const int Shown = 200;

    /// <summary>The engine rejects the query.</summary>
    /// <param name="message">The engine's message.</param>
    /// <param name="sql">The query.</param>
    /// <param name="inner">The engine's error, if it threw one.</param>
    public static StoreException Of(string message, string sql, Exception? inner) =>
        New($"the query is invalid: {message.TrimEnd('.', ' ')}", sql, Advice(sql), inner);

    /// <summary>The query would change the store.</summary>
    public static StoreException Writes(string sql) =>
        New("the query would write, but only 'extract' may write to a store", sql, "write a SELECT", null);

    /// <summary>The query has several statements.</summary>
    public static StoreException Several(string sql) =>
        New("the text has more than one statement", sql, "run one statement at a time", null);

    private static StoreException New(string what, string sql, string fix, Exception? inner) =>
        new(new Problem(what, Short(sql), fix), inner) { IsUsage = true };

    /// <summary>Columns of the tables in a query; the tables when it names none.</summary>
    private static string Advice(string sql)
    {
        var named = Words().Matches(sql).Select(match => StoreSchema.Find(match.Value)).OfType<StoreTable>().Distinct().ToList();
        return named.Count == 0
            ? $"tables: {string.Join(", ", StoreSchema.Tables.Select(table => table.Name))}; docs/schema.md has their columns"
            : string.Join(
                "; ",
                named.Select(table => $"columns of {table.Name}: {string.Join(", ", table.Columns.Select(column => column.Name))}")
            );
    }

    private static string Short(string sql)
    {
        var line = Spaces().Replace(sql.Trim(), " ");
        return line.Length == 0 ? "(no query)"
            : line.Length > Shown ? line[..Shown] + "…"
            : line;
    }

    [GeneratedRegex(@"\w+")]
    private static partial Regex Words();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
