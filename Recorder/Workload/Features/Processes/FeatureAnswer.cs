namespace EtwSerializerProfiler.Workload.Features.Processes;

/// <summary>A line of a process that tries features: it begins an attempt, or has its cell.</summary>
/// <param name="Attempt">The attempt.</param>
/// <param name="Cell">What was seen; null when it begins.</param>
public sealed record FeatureAnswer(FeatureAttempt Attempt, FeatureCell? Cell)
{
    // A serializer may write to standard output, too.
    private const string Mark = "@esp-feature";

    /// <summary>The line.</summary>
    public string ToLine() => Cell is null ? $"{Mark} {Attempt}" : $"{Mark} {Attempt} {Uri.EscapeDataString(Cell.Seen)} {Uri.EscapeDataString(Valid(Cell.Detail))}";

    /// <summary>Reads a line; null for one that is none of these.</summary>
    public static FeatureAnswer? Parse(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        var parts = line.Split(' ');
        if (parts[0] != Mark || parts.Length is not (2 or 4))
            return null;
        return new FeatureAnswer(FeatureAttempt.Parse(parts[1]), parts.Length == 2 ? null : new FeatureCell(Uri.UnescapeDataString(parts[2]), Uri.UnescapeDataString(parts[3])));
    }

    /// <summary>Without halves of characters, which cannot be escaped.</summary>
    private static string Valid(string text) => new([.. text.Select((character, i) => IsHalf(text, i) ? '\ufffd' : character)]);

    private static bool IsHalf(string text, int i) =>
        char.IsHighSurrogate(text[i]) ? i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1]) : char.IsLowSurrogate(text[i]) && (i == 0 || !char.IsHighSurrogate(text[i - 1]));
}
