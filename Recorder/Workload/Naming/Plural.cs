using System.Globalization;

namespace EtwSerializerProfiler.Naming;

/// <summary>Numbers of things in words: 1 run, 2 runs.</summary>
public static class Plural
{
    /// <summary>A number with its noun.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The noun of one.</param>
    /// <param name="format">Format of the number.</param>
    public static string Of(long count, string one, string format = "0") => $"{count.ToString(format, CultureInfo.InvariantCulture)} {Noun(count, one)}";

    /// <summary>The noun alone, where the number is written in another way.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">The noun of one.</param>
    public static string Noun(long count, string one)
    {
        ArgumentNullException.ThrowIfNull(one);
        return Either(count, one, one + (one[^1] == 's' ? "es" : "s"));
    }

    /// <summary>What a number takes: is or are, run lies or runs lie.</summary>
    /// <param name="count">The number.</param>
    /// <param name="one">Of one.</param>
    /// <param name="several">Of several, and of none.</param>
    public static string Either(long count, string one, string several) => count == 1 ? one : several;
}
