using System.Globalization;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports;

/// <summary>What a run's time was made of, as a bar of letters and in words.</summary>
internal static class CauseLetters
{
    /// <summary>Letter of what a run spent outside of its serializer: the benchmark's own code, waiting, ready without a processor.</summary>
    public const char Outside = '.';

    /// <summary>Samples below which words say how few there are: the error of n samples is √n, here a fifth.</summary>
    private const int FewSamples = 25;

    /// <summary>Smallest share that is told in words, in %.</summary>
    private const double LeastPercent = 8;

    private static readonly (string Group, char Letter, string Word)[] s_groups =
    [
        (CauseColumns.OwnName, 'o', "own"), (CauseCatalog.ReflectionGroup, 'R', "reflection"), (CauseCatalog.ActivatorGroup, 'A', "Activator"), ("GC", 'G', "GC"), ("JIT", 'J', "JIT"), ("Types", 't', "types"),
        ("Locks", 'L', "locks"), ("Exceptions", 'X', "exceptions"), ("Formatting", 'f', "formatting"), ("Compression", 'c', "compression"), ("I/O", 'i', "I/O"), ("Emitted", 'e', "emitted"),
        ("Runtime", 'r', "runtime"), ("Kernel", 'k', "kernel"),
    ];

    /// <summary>A bar of as many letters as asked for, which stands for a run's wall time; null when causes were not recorded.</summary>
    public static string? Bar(SummaryRow row, int length)
    {
        if (TimeParts.Of(row) is not { } parts)
            return null;
        var all = parts.Sum(part => part.Ms);
        if (all == 0)
            return "";

        // Whole letters first, then one more for those that lack most of their share.
        var letters = parts.Select(part => part.Ms / all * length).ToList();
        var whole = letters.Select(share => (int)share).ToList();
        foreach (var part in Enumerable.Range(0, parts.Count).OrderByDescending(part => letters[part] - whole[part]).Take(length - whole.Sum()))
            whole[part]++;
        return string.Concat(parts.Select((part, number) => new string(LetterOf(part.Name), whole[number])));
    }

    /// <summary>The largest causes with their shares of the serializer's CPU time: <c>own 71, formatting 12 %</c>.</summary>
    /// <param name="row">The row.</param>
    /// <param name="most">Characters that they may have; the largest cause is told in any case.</param>
    public static string? Words(SummaryRow row, int most)
    {
        if (row.Causes is not { } causes)
            return null;
        if (causes.Serializer == 0)
            return "no samples";
        var few = causes.Samples < FewSamples ? string.Create(CultureInfo.InvariantCulture, $", {causes.Samples} sample{(causes.Samples == 1 ? "" : "s")}") : "";
        var words = "";
        foreach (var (group, percent) in s_groups.Select(group => (group, Percent: 100.0 * TimeParts.TicksOf(causes, group.Group) / causes.Serializer)).OrderByDescending(part => part.Percent))
        {
            var next = string.Create(CultureInfo.InvariantCulture, $"{(words.Length > 0 ? words + ", " : "")}{group.Word} {percent:0}");
            if (words.Length > 0 && (percent < LeastPercent || next.Length + 2 + few.Length > most))
                break;
            words = next;
        }

        return words + " %" + few;
    }

    /// <summary>What the letters of bars mean, those of the bars alone.</summary>
    public static string Legend(IEnumerable<string> bars)
    {
        var used = string.Concat(bars).Distinct().ToHashSet();
        return string.Join(", ", s_groups.Where(group => used.Contains(group.Letter)).Select(group => $"{group.Letter} {group.Word}").Append($"{Outside} rest"));
    }

    private static char LetterOf(string part) => Array.Find(s_groups, group => group.Group == part) is { Letter: not '\0' and var letter } ? letter : Outside;
}
