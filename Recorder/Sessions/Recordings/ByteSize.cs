using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Sizes as options write them: a whole number and KB, MB or GB, each 1,024 times the one before.</summary>
public static class ByteSize
{
    /// <summary>The text that <see cref="TryParse"/> accepts, for messages.</summary>
    public const string Form = "a whole number and KB, MB or GB";

    private static readonly (string Name, int Shift)[] s_units = [("KB", 10), ("MB", 20), ("GB", 30)];

    /// <summary>Parses a size.</summary>
    /// <param name="text">The text.</param>
    /// <param name="bytes">The size; <see cref="long.MaxValue"/> when it exceeds 64 bits.</param>
    public static bool TryParse(string text, out long bytes)
    {
        ArgumentNullException.ThrowIfNull(text);
        bytes = 0;
        foreach (var (name, shift) in s_units)
        {
            if (
                !text.EndsWith(name, StringComparison.Ordinal)
                || !long.TryParse(text[..^name.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            )
                continue;
            bytes = number > long.MaxValue >> shift ? long.MaxValue : number << shift;
            return true;
        }

        return false;
    }

    /// <summary>The size in the largest unit that divides it; less than 1 KB is rounded down.</summary>
    public static string Format(long bytes)
    {
        var (name, shift) = s_units.Last(unit => bytes % (1L << unit.Shift) == 0 || unit.Shift == s_units[0].Shift);
        return string.Create(CultureInfo.InvariantCulture, $"{bytes >> shift}{name}");
    }
}
