namespace EtwSerializerProfiler.Polyfills;

/// <summary>Collection members of newer class libraries.</summary>
internal static class Collections
{
    public static bool TryAdd<TKey, TValue>(this Dictionary<TKey, TValue> dictionary, TKey key, TValue value)
        where TKey : notnull
    {
        if (dictionary.ContainsKey(key))
            return false;
        dictionary.Add(key, value);
        return true;
    }

    public static IEnumerable<T> Order<T>(this IEnumerable<T> source) => source.OrderBy(item => item);

    public static IEnumerable<T> DistinctBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key)
    {
        var seen = new HashSet<TKey>();
        return source.Where(item => seen.Add(key(item)));
    }

    public static HashSet<T> ToHashSet<T>(this IEnumerable<T> source) => [.. source];
}
