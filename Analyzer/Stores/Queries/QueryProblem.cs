using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Queries;

/// <summary>Why a query was refused, with what there is to ask about.</summary>
internal static partial class QueryProblem
{
    /// <summary>So many characters of a query say which it is.</summary>
    private const int Shown = 200;

    /// <summary>The engine does not take it.</summary>
    /// <param name="message">What the engine says.</param>
    /// <param name="sql">The query.</param>
    /// <param name="inner">The engine's error, if it threw one.</param>
    public static StoreException Of(string message, string sql, Exception? inner) => New($"the query is wrong: {message.TrimEnd('.', ' ')}", sql, Advice(sql), inner);

    /// <summary>It would change the store.</summary>
    public static StoreException Writes(string sql) => New("the query would write, and a store is only written by 'extract'", sql, "write a SELECT", null);

    /// <summary>It is more than one statement.</summary>
    public static StoreException Several(string sql) => New("this is more than one statement", sql, "ask one at a time", null);

    private static StoreException New(string what, string sql, string fix, Exception? inner) =>
        new(new Problem(what, Short(sql), fix), inner) { IsUsage = true };

    /// <summary>Columns of the tables that a query names; the tables when it names none.</summary>
    private static string Advice(string sql)
    {
        var named = Words().Matches(sql).Select(match => StoreSchema.Find(match.Value)).OfType<StoreTable>().Distinct().ToList();
        return named.Count == 0
            ? $"tables: {string.Join(", ", StoreSchema.Tables.Select(table => table.Name))}; docs/schema.md has their columns"
            : string.Join("; ", named.Select(table => $"columns of {table.Name}: {string.Join(", ", table.Columns.Select(column => column.Name))}"));
    }

    private static string Short(string sql)
    {
        var line = Spaces().Replace(sql.Trim(), " ");
        return line.Length == 0 ? "(no query)" : line.Length > Shown ? line[..Shown] + "…" : line;
    }

    [GeneratedRegex(@"\w+")]
    private static partial Regex Words();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
