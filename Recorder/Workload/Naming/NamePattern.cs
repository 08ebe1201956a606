namespace EtwSerializerProfiler.Naming;

/// <summary>
/// Selects names, ignoring case: those that contain <paramref name="Text"/>, or with <paramref name="Exact"/> the equal one. All filters of
/// the tools use it.
/// </summary>
/// <param name="Text">
/// A part of the name, or the name. In a part, <c>*</c> matches any text, and the pattern then covers the whole name.
/// </param>
/// <param name="Exact">Whether the whole name must be equal, written <c>#name</c>.</param>
public readonly record struct NamePattern(string Text, bool Exact)
{
    /// <summary>Prefix of a whole name.</summary>
    public const char ExactPrefix = '#';

    /// <summary>The rule for help texts.</summary>
    public const string Rule = "a part of the name (case is ignored), or #name for the whole name";

    private const char AnyText = '*';

    /// <summary>Parses a pattern.</summary>
    /// <param name="text">The text.</param>
    /// <param name="pattern">The pattern.</param>
    /// <returns>False for an empty name.</returns>
    public static bool TryParse(string text, out NamePattern pattern)
    {
        ArgumentNullException.ThrowIfNull(text);
        pattern = text.StartsWith(ExactPrefix) ? new NamePattern(text[1..], Exact: true) : new NamePattern(text, Exact: false);
        return pattern.Text.Length > 0;
    }

    /// <summary>Parses a comma-separated list of patterns; omits empty ones.</summary>
    public static IReadOnlyList<NamePattern> List(string list)
    {
        ArgumentNullException.ThrowIfNull(list);
        return
        [
            .. list.Split(',')
                .Select(entry => TryParse(entry.Trim(), out var pattern) ? pattern : default)
                .Where(pattern => pattern.Text is not null),
        ];
    }

    /// <summary>Whether the pattern selects <paramref name="name"/>.</summary>
    public bool Matches(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Exact ? name.Equals(Text, StringComparison.OrdinalIgnoreCase)
            : Text.IndexOf(AnyText) < 0 ? name.Contains(Text, StringComparison.OrdinalIgnoreCase)
            : Covers(Text.Split(AnyText), name);
    }

    /// <summary>The text that <see cref="TryParse"/> accepts.</summary>
    public override string ToString() => Exact ? ExactPrefix + Text : Text;

    /// <summary>Whether the parts follow each other in the name, with the first at its start and the last at its end.</summary>
    private static bool Covers(string[] parts, string name)
    {
        if (!name.StartsWith(parts[0], StringComparison.OrdinalIgnoreCase))
            return false;
        var at = parts[0].Length;
        for (var i = 1; i < parts.Length - 1; i++)
        {
            var found = name.IndexOf(parts[i], at, StringComparison.OrdinalIgnoreCase);
            if (found < 0)
                return false;
            at = found + parts[i].Length;
        }

        return name.Length - at >= parts[^1].Length && name.EndsWith(parts[^1], StringComparison.OrdinalIgnoreCase);
    }
}
