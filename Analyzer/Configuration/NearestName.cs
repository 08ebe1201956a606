namespace EtwSerializerProfiler.Configuration;

/// <summary>The name that was probably meant.</summary>
internal static class NearestName
{
    /// <summary>The name with the fewest changed letters, case aside; null when none is near.</summary>
    public static string? Find(string text, IEnumerable<string> names)
    {
        var (nearest, distance) = names.Select(name => (name, Distance(text, name))).DefaultIfEmpty(("", int.MaxValue)).MinBy(pair => pair.Item2);
        return distance <= Math.Max(1, Math.Min(text.Length, nearest.Length) / 3) ? nearest : null;
    }

    /// <summary>Letters to insert, delete or replace (Levenshtein).</summary>
    private static int Distance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var replaced = diagonal + (char.ToLowerInvariant(left[i - 1]) == char.ToLowerInvariant(right[j - 1]) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
