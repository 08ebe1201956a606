namespace EtwSerializerProfiler.Naming;

/// <summary>Finds the names that a mistyped text may stand for.</summary>
public static class NearestName
{
    /// <summary>Minimum number of letters; shorter texts are similar to too many names.</summary>
    private const int MinPart = 3;

    /// <summary>Maximum number of suggestions.</summary>
    private const int MaxSuggestions = 3;

    /// <summary>The known name that differs least from a mistyped one; null when none is similar.</summary>
    /// <param name="typed">The mistyped text.</param>
    /// <param name="known">The known names.</param>
    public static string? Of(string typed, IEnumerable<string> known)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(known);
        var bare = typed.TrimStart('-');
        return bare.Length == 0 ? null : Near(bare, known, static (typed, name) => Distance(typed, name)).FirstOrDefault();
    }

    /// <summary>
    /// The known names that a mistyped text may stand for, most similar first: complete names, or else names that contain a similar part or
    /// are contained in the text.
    /// </summary>
    /// <param name="typed">The mistyped text.</param>
    /// <param name="known">The known names.</param>
    public static IReadOnlyList<string> All(string typed, IReadOnlyCollection<string> known)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(known);
        if (Of(typed, known) is { } whole)
            return [whole];
        if (typed.Length < MinPart)
            return [];
        return
        [
            .. Near(
                    typed,
                    known,
                    static (typed, name) =>
                        name.Length >= MinPart && typed.Contains(name, StringComparison.OrdinalIgnoreCase) ? 0 : DistanceToPart(typed, name)
                )
                .Take(MaxSuggestions),
        ];
    }

    private static IEnumerable<string> Near(string typed, IEnumerable<string> known, Func<string, string, int> distance) =>
        known
            .Select(name => (Name: name, Distance: distance(typed, name.TrimStart('-'))))
            .Where(item => item.Distance <= Math.Max(1, typed.Length / 3))
            .OrderBy(item => item.Distance)
            .ThenBy(item => item.Name, StringComparer.Ordinal)
            .Select(item => item.Name);

    /// <summary>Number of letters to insert, delete, replace or swap with their neighbor, ignoring case.</summary>
    public static int Distance(string first, string second) => Table(first, second, anyPart: false)[^1];

    /// <summary>The minimum distance between a text and any part of a name.</summary>
    private static int DistanceToPart(string typed, string name) => Table(typed, name, anyPart: true).Min();

    /// <summary>
    /// Distances from the whole first text to each prefix of the second one; with <paramref name="anyPart"/>, to each part that ends there.
    /// </summary>
    private static int[] Table(string first, string second, bool anyPart)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        var table = new int[first.Length + 1, second.Length + 1];
        for (var i = 0; i <= first.Length; i++)
        {
            for (var j = 0; j <= second.Length; j++)
            {
                if (i == 0 || j == 0)
                {
                    table[i, j] = i == 0 && anyPart ? 0 : i + j;
                    continue;
                }

                var same = char.ToLowerInvariant(first[i - 1]) == char.ToLowerInvariant(second[j - 1]);
                table[i, j] = Math.Min(Math.Min(table[i - 1, j], table[i, j - 1]) + 1, table[i - 1, j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && first[i - 1] == second[j - 2] && first[i - 2] == second[j - 1])
                    table[i, j] = Math.Min(table[i, j], table[i - 2, j - 2] + 1);
            }
        }

        return [.. Enumerable.Range(0, second.Length + 1).Select(end => table[first.Length, end])];
    }
}
