using System.Globalization;

namespace EtwSerializerProfiler.Naming;

/// <summary>Formats a number with its noun: 1 run, 2 runs.</summary>
public static class Plural
{
    /// <summary>Returns a number with its noun.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The singular noun.</param>
    /// <param name="format">Format of the number.</param>
    public static string Of(long count, string one, string format = "0") =>
        $"{count.ToString(format, CultureInfo.InvariantCulture)} {Noun(count, one)}";

    /// <summary>Returns only the noun, for numbers that are formatted elsewhere.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The singular noun.</param>
    public static string Noun(long count, string one)
    {
        ArgumentNullException.ThrowIfNull(one);
        return Either(count, one, one + (one[^1] == 's' ? "es" : "s"));
    }

    /// <summary>Selects the word that agrees with a number: is or are, run lies or runs lie.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The word for one.</param>
    /// <param name="several">The word for several and for none.</param>
    public static string Either(long count, string one, string several) => count == 1 ? one : several;
}
