namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>A line of output of a trial process: the start of an attempt, or its result.</summary>
/// <param name="Attempt">The attempt.</param>
/// <param name="Cell">The result; null at the start.</param>
public sealed record FeatureAnswer(FeatureAttempt Attempt, FeatureCell? Cell)
{
    // A marker, because a serializer may also write to standard output.
    private const string Mark = "@esp-feature";

    /// <summary>Formats the line.</summary>
    public string ToLine() =>
        Cell is null
            ? $"{Mark} {Attempt}"
            : $"{Mark} {Attempt} {Uri.EscapeDataString(Cell.Seen)} {Uri.EscapeDataString(Valid(Cell.Detail))}";

    /// <summary>Parses a line; null for other output.</summary>
    public static FeatureAnswer? Parse(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        var parts = line.Split(' ');
        if (parts[0] != Mark || parts.Length is not (2 or 4))
            return null;
        return new FeatureAnswer(
            FeatureAttempt.Parse(parts[1]),
            parts.Length == 2 ? null : new FeatureCell(Uri.UnescapeDataString(parts[2]), Uri.UnescapeDataString(parts[3]))
        );
    }

    /// <summary>Replaces unpaired surrogates, which cannot be escaped.</summary>
    private static string Valid(string text) => new([.. text.Select((character, i) => IsHalf(text, i) ? '\ufffd' : character)]);

    private static bool IsHalf(string text, int i) =>
        char.IsHighSurrogate(text[i])
            ? i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1])
            : char.IsLowSurrogate(text[i]) && (i == 0 || !char.IsHighSurrogate(text[i - 1]));
}
