namespace EtwSerializerProfiler.CommandLine;

/// <summary>Finds what somebody may have meant.</summary>
public static class NearestName
{
    /// <summary>The known name that differs least from a mistyped one; null when none is near.</summary>
    /// <param name="typed">What was typed.</param>
    /// <param name="known">The names there are.</param>
    public static string? Of(string typed, IEnumerable<string> known)
    {
        ArgumentNullException.ThrowIfNull(typed);
        ArgumentNullException.ThrowIfNull(known);
        var bare = typed.TrimStart('-');
        if (bare.Length == 0)
            return null;
        var nearest = known.Select(name => (Name: name, Distance: Distance(bare, name.TrimStart('-')))).OrderBy(item => item.Distance).ThenBy(item => item.Name, StringComparer.Ordinal).FirstOrDefault();
        return nearest.Name is not null && nearest.Distance <= Math.Max(1, bare.Length / 3) ? nearest.Name : null;
    }

    /// <summary>Letters to insert, to leave out, to replace or to swap with their neighbour, in any case.</summary>
    public static int Distance(string first, string second)
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
                    table[i, j] = i + j;
                    continue;
                }

                var same = char.ToLowerInvariant(first[i - 1]) == char.ToLowerInvariant(second[j - 1]);
                table[i, j] = Math.Min(Math.Min(table[i - 1, j], table[i, j - 1]) + 1, table[i - 1, j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && first[i - 1] == second[j - 2] && first[i - 2] == second[j - 1])
                    table[i, j] = Math.Min(table[i, j], table[i - 2, j - 2] + 1);
            }
        }

        return table[first.Length, second.Length];
    }
}
