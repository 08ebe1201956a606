namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Keeps the rows of a table small: of each row of runs the first ones, and the rest summed in one.</summary>
internal static class TopRows
{
    /// <summary>About so many rows of one table at most are of one trace.</summary>
    internal const int MostRows = 10_000;

    /// <summary>Rows of one row of runs that are kept: at least and at most so many.</summary>
    private const int Fewest = 10, Most = 500;

    /// <summary>Cuts rows.</summary>
    /// <param name="rows">All rows, the most important first.</param>
    /// <param name="key">The row of runs that a row belongs to, with what its rest is to be told apart by.</param>
    /// <param name="rest">Makes one row of several.</param>
    /// <returns>Rows in their order; behind those of all keys the rests.</returns>
    public static IEnumerable<T> Cut<T, TKey>(IReadOnlyList<T> rows, Func<T, TKey> key, Func<IReadOnlyList<T>, T> rest)
        where TKey : notnull
    {
        if (rows.Count <= MostRows)
            return rows;
        var top = Math.Clamp(MostRows / rows.Select(key).Distinct().Count(), Fewest, Most);
        var counts = new Dictionary<TKey, int>();
        var kept = new List<T>();
        var others = new List<T>();
        foreach (var row in rows)
        {
            var of = key(row);
            var count = counts[of] = counts.GetValueOrDefault(of) + 1;
            (count <= top ? kept : others).Add(row);
        }

        // A rest of one row is that row.
        return [.. kept, .. others.GroupBy(key).Select(group => group.ToList()).Select(group => group.Count == 1 ? group[0] : rest(group))];
    }

    /// <summary>Sum of numbers that rows may lack; null when one does.</summary>
    public static long? Sum<T>(IReadOnlyList<T> rows, Func<T, long?> value) => rows.All(row => value(row) is not null) ? rows.Sum(value) : null;
}
