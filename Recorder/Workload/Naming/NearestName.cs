namespace EtwSerializerProfiler.Naming;

/// <summary>Finds what somebody may have meant.</summary>
public static class NearestName
{
    /// <summary>Fewer letters are near to too much.</summary>
    private const int MinPart = 3;

    /// <summary>More suggestions help nobody.</summary>
    private const int MaxSuggestions = 3;

    /// <summary>The known name that differs least from a mistyped one; null when none is near.</summary>
    /// <param name="typed">What was typed.</param>
    /// <param name="known">The names there are.</param>
    public static string? Of(string typed, IEnumerable<string> known)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(known);
        var bare = typed.TrimStart('-');
        return bare.Length == 0 ? null : Near(bare, known, static (typed, name) => Distance(typed, name)).FirstOrDefault();
    }

    /// <summary>The known names that a mistyped part may stand for, the nearest first: whole names, else names with a part that is near, or that are a part of it.</summary>
    /// <param name="typed">What was typed.</param>
    /// <param name="known">The names there are.</param>
    public static IReadOnlyList<string> All(string typed, IReadOnlyCollection<string> known)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(known);
        if (Of(typed, known) is { } whole)
            return [whole];
        if (typed.Length < MinPart)
            return [];
        return [.. Near(typed, known, static (typed, name) => name.Length >= MinPart && typed.Contains(name, StringComparison.OrdinalIgnoreCase) ? 0 : DistanceToPart(typed, name)).Take(MaxSuggestions)];
    }

    private static IEnumerable<string> Near(string typed, IEnumerable<string> known, Func<string, string, int> distance) =>
        known.Select(name => (Name: name, Distance: distance(typed, name.TrimStart('-')))).Where(item => item.Distance <= Math.Max(1, typed.Length / 3))
            .OrderBy(item => item.Distance).ThenBy(item => item.Name, StringComparer.Ordinal).Select(item => item.Name);

    /// <summary>Letters to insert, to leave out, to replace or to swap with their neighbour, in any case.</summary>
    public static int Distance(string first, string second) => Table(first, second, anyPart: false)[^1];

    /// <summary>The least of them between a text and any part of a name.</summary>
    private static int DistanceToPart(string typed, string name) => Table(typed, name, anyPart: true).Min();

    /// <summary>Distances of the whole first text to each beginning of the second one; with <paramref name="anyPart"/> to each part that ends there.</summary>
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
