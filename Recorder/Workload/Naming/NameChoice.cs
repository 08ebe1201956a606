namespace EtwSerializerProfiler.Naming;

/// <summary>
/// Selects from a known set of names: values of options, tests, columns, measures. Like <see cref="NamePattern"/>, but a complete name
/// selects only that name, because for example <c>serialize</c> is also a part of <c>deserialize</c>.
/// </summary>
public static class NameChoice
{
    /// <summary>Maximum number of names listed in an error.</summary>
    private const int MaxListed = 20;

    /// <summary>The names that <paramref name="text"/> selects.</summary>
    /// <param name="text">A name, a part of names, or <c>#name</c>.</param>
    /// <param name="names">The known names.</param>
    public static IReadOnlyList<string> Find(string text, IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        var all = names.Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        var pattern = Pattern(text, all);
        return pattern is null ? [] : all.FindAll(pattern.Value.Matches);
    }

    /// <summary>
    /// The pattern for <paramref name="text"/> among <paramref name="names"/>: exact for a complete name. Null for an empty text.
    /// </summary>
    public static NamePattern? Pattern(string text, IEnumerable<string> names) =>
        !NamePattern.TryParse(text, out var pattern) ? null
        : names.Contains(pattern.Text, StringComparer.OrdinalIgnoreCase) ? pattern with { Exact = true }
        : pattern;

    /// <summary>Finds the only name that <paramref name="text"/> selects.</summary>
    /// <param name="text">A name, a part of it, or <c>#name</c>.</param>
    /// <param name="names">The known names.</param>
    /// <param name="name">The name; empty when none or several match.</param>
    /// <param name="advice">What to write instead; empty when the name was found.</param>
    public static bool TryFind(string text, IReadOnlyList<string> names, out string name, out string advice)
    {
        ArgumentNullException.ThrowIfNull(names);
        var found = Find(text, names);
        (name, advice) =
            found.Count == 1
                ? (found[0], "")
                : ("", found.Count == 0 ? Advice(text, names) : $"'{text}' matches {And(found)}: write a longer part");
        return found.Count == 1;
    }

    /// <summary>Suggests names for a text that selects none: similar names, or else all names.</summary>
    /// <param name="text">The user's text.</param>
    /// <param name="names">The known names.</param>
    public static string Advice(string text, IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(names);
        var all = names.Where(name => name.Length > 0).Distinct().ToList();
        var near = NearestName.All(text.TrimStart(NamePattern.ExactPrefix), all);
        return near.Count > 0 ? $"did you mean {string.Join(" or ", near)}?"
            : all.Count == 0 ? "there are no names to choose from"
            : $"choose from {And(all)}";
    }

    private static string And(IReadOnlyList<string> names) =>
        string.Join(", ", names.Take(MaxListed)) + (names.Count > MaxListed ? $" and {names.Count - MaxListed} more" : "");
}
