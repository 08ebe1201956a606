using EtwSerializerProfiler.Reports.Columns;
using Spectre.Console;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Colours of a table on a terminal. They only repeat what the words say, so output without colours is complete.</summary>
internal static class CellColours
{
    private static readonly Style s_faint = new(decoration: Decoration.Dim);
    private static readonly Style s_good = new(Color.Green);
    private static readonly Style s_bad = new(Color.Red);

    /// <summary>Style of headers and titles.</summary>
    public static Style Header { get; } = new(decoration: Decoration.Bold);

    /// <summary>Style of the first word of a warning.</summary>
    public static Style Warning { get; } = new(Color.Yellow);

    /// <summary>Style of the first word of a hint.</summary>
    public static Style Hint { get; } = new(Color.Teal);

    /// <summary>A bar with coloured letters.</summary>
    public static Paragraph Bar(string letters)
    {
        var bar = new Paragraph();
        for (var i = 0; i < letters.Length;)
        {
            var same = letters.AsSpan(i).IndexOfAnyExcept(letters[i]) is > 0 and var length ? length : letters.Length - i;
            bar.Append(letters.Substring(i, same), Of(letters[i]));
            i += same;
        }

        return bar;
    }

    private static Style Of(char letter) =>
        letter switch
        {
            'o' => new(Color.Black, Color.Silver),
            'R' or 'X' => new(Color.White, Color.Red),
            'A' or 'L' => new(Color.White, Color.Maroon),
            'G' => new(Color.White, Color.Blue),
            'J' => new(Color.White, Color.Purple),
            't' => new(Color.Black, Color.Teal),
            'f' => new(Color.Black, Color.Olive),
            'c' => new(Color.Black, Color.Aqua),
            'i' => new(Color.Black, Color.Green),
            'e' => new(Color.Black, Color.Fuchsia),
            'r' => new(Color.White, Color.Grey),
            'k' => new(Color.White, Color.Navy),
            _ => s_faint,
        };

    /// <summary>Style of a cell by its text: verdicts of comparisons and checks, and missing values.</summary>
    public static Style? Of(string text) =>
        text switch
        {
            Column<object>.NotRecorded or Column<object>.NotApplicable => s_faint,
            "faster" or "less" or "passed" => s_good,
            "slower" or "more" or "failed" or "violated" => s_bad,
            _ => null,
        };
}
