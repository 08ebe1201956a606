namespace EtwSerializerProfiler.Stores.Rows;

/// <summary>Limits the rows of a table: keeps the first ones for each row of runs, and sums the rest in one.</summary>
internal static class TopRows
{
    /// <summary>Approximate maximum number of rows of one table per trace.</summary>
    internal const int MaxRows = 10_000;

    /// <summary>Minimum and maximum number of rows to keep for each row of runs.</summary>
    private const int Min = 10,
        Max = 500;

    /// <summary>Limits rows.</summary>
    /// <param name="rows">All rows, most important first.</param>
    /// <param name="key">The row of runs of a row, and what distinguishes its rest.</param>
    /// <param name="rest">Combines several rows into one.</param>
    /// <returns>Rows in their order, followed by the rests of all keys.</returns>
    public static IEnumerable<T> Cut<T, TKey>(IReadOnlyList<T> rows, Func<T, TKey> key, Func<IReadOnlyList<T>, T> rest)
        where TKey : notnull
    {
        if (rows.Count <= MaxRows)
            return rows;
        var top = Math.Clamp(MaxRows / rows.Select(key).Distinct().Count(), Min, Max);
        var counts = new Dictionary<TKey, int>();
        var kept = new List<T>();
        var others = new List<T>();
        foreach (var row in rows)
        {
            var of = key(row);
            var count = counts[of] = counts.GetValueOrDefault(of) + 1;
            (count <= top ? kept : others).Add(row);
        }

        // A rest with one row is stored as that row.
        return [.. kept, .. others.GroupBy(key).Select(group => group.ToList()).Select(group => group.Count == 1 ? group[0] : rest(group))];
    }

    /// <summary>Sum of optional numbers; null when one is missing.</summary>
    public static long? Sum<T>(IReadOnlyList<T> rows, Func<T, long?> value) =>
        rows.All(row => value(row) is not null) ? rows.Sum(value) : null;
}
