using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>Shows where the time of a row went, as a bar of letters and in words.</summary>
internal static class CauseLetters
{
    /// <summary>Letter for the time outside the serializer.</summary>
    public const char Outside = '.';

    /// <summary>The standard error of n samples is √n: below 25 it exceeds a fifth.</summary>
    private const int MinSamples = 25;

    /// <summary>Smaller shares get no words.</summary>
    private const double MinPercent = 8;

    /// <summary>Samples of a line's largest cause: the error of 4 is a half of them.</summary>
    private const int MinSamplesOfLine = 4;

    /// <summary>Limit of the words beside a source line, in characters.</summary>
    private const int MaxLineWords = 24;

    private static readonly (string Group, char Letter, string Word)[] s_groups =
    [
        (CauseColumns.OwnName, 'o', "own"),
        (CauseCatalog.ReflectionGroup, 'R', "reflection"),
        (CauseCatalog.ActivatorGroup, 'A', "Activator"),
        ("GC", 'G', "GC"),
        ("JIT", 'J', "JIT"),
        ("Types", 't', "types"),
        ("Locks", 'L', "locks"),
        ("Exceptions", 'X', "exceptions"),
        ("Formatting", 'f', "formatting"),
        ("Compression", 'c', "compression"),
        ("I/O", 'i', "I/O"),
        ("Emitted", 'e', "emitted"),
        ("Runtime", 'r', "runtime"),
        ("Kernel", 'k', "kernel"),
    ];

    /// <summary>Divides the wall time among <paramref name="length"/> letters; null when causes were not recorded.</summary>
    public static string? Bar(SummaryRow row, int length)
    {
        if (
            TimeParts
                .Of(row)
                ?.GroupBy(part => LetterOf(part.Name), part => part.Ms)
                .Select(part => (Letter: part.Key, Ms: part.Sum()))
                .ToList()
            is not { } parts
        )
            return null;
        var all = parts.Sum(part => part.Ms);
        if (all == 0)
            return "";

        // Largest remainder method: the letters add up to the length.
        var letters = parts.Select(part => part.Ms / all * length).ToList();
        var whole = letters.Select(share => (int)share).ToList();
        foreach (
            var part in Enumerable.Range(0, parts.Count).OrderByDescending(part => letters[part] - whole[part]).Take(length - whole.Sum())
        )
            whole[part]++;
        return string.Concat(parts.Select((part, number) => new string(part.Letter, whole[number])));
    }

    /// <summary>Whether shares of a row's causes are inexact.</summary>
    public static bool HasFewSamples(SummaryRow row) => row.Causes is { } causes && HasFewSamples(causes);

    private static bool HasFewSamples(CauseTimes causes) => causes.Samples < MinSamples;

    /// <summary>
    /// The largest causes with their shares of the serializer's CPU time: <c>own 71, formatting 12 %</c>; <c>~</c> marks few samples. Null
    /// when causes were not recorded.
    /// </summary>
    /// <param name="row">The row.</param>
    /// <param name="maxLength">Maximum number of characters; the largest cause always appears.</param>
    public static string? Words(SummaryRow row, int maxLength)
    {
        if (row.Causes is not { } causes)
            return null;
        if (causes.Serializer == 0)
            return "no samples";
        return Words(causes, s_groups, part => part >= 0, maxLength);
    }

    /// <summary>
    /// The largest causes of a line's time besides the program's own code, with their shares of it: <c>GC 60, types 12 %</c>. Empty when
    /// none is worth a word: a cause with fewer samples than <see cref="MinSamplesOfLine"/> may be chance.
    /// </summary>
    public static string OfLine(CauseTimes? causes) =>
        causes is { Serializer: > 0 }
            ? Words(
                causes,
                s_groups[1..],
                percent => percent >= MinPercent && percent * causes.Samples >= 100 * MinSamplesOfLine,
                MaxLineWords
            )
            : "";

    private static string Words(
        CauseTimes causes,
        (string Group, char Letter, string Word)[] groups,
        Func<double, bool> begins,
        int maxLength
    )
    {
        var words = "";
        foreach (
            var (group, percent) in groups
                .Select(group => (group, Percent: 100.0 * TimeParts.TicksOf(causes, group.Group) / causes.Serializer))
                .OrderByDescending(part => part.Percent)
        )
        {
            var next = string.Create(
                CultureInfo.InvariantCulture,
                $"{(words.Length > 0 ? words + ", " : HasFewSamples(causes) ? "~" : "")}{group.Word} {percent:0}"
            );
            if (words.Length > 0 ? percent < MinPercent || next.Length + 2 > maxLength : !begins(percent))
                break;
            words = next;
        }

        return words.Length > 0 ? words + " %" : "";
    }

    /// <summary>Explains the letters that the bars use.</summary>
    public static string Legend(IEnumerable<string> bars)
    {
        var used = string.Concat(bars).Distinct().ToHashSet();
        return string.Join(
            ", ",
            s_groups.Where(group => used.Contains(group.Letter)).Select(group => $"{group.Letter} {group.Word}").Append($"{Outside} rest")
        );
    }

    private static char LetterOf(string part) =>
        Array.Find(s_groups, group => group.Group == part) is { Letter: not '\0' and var letter } ? letter : Outside;
}
