using EtwSerializerProfiler.Reports.Columns;
using Spectre.Console;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Colours of a table on a terminal. They repeat what the words say: who sees none misses nothing.</summary>
internal static class CellColours
{
    private static readonly Style s_faint = new(decoration: Decoration.Dim);
    private static readonly Style s_good = new(Color.Green);
    private static readonly Style s_bad = new(Color.Red);

    /// <summary>Style of headers and titles.</summary>
    public static Style Header { get; } = new(decoration: Decoration.Bold);

    /// <summary>Style of the word that begins a warning.</summary>
    public static Style Warning { get; } = new(Color.Yellow);

    /// <summary>Style of the word that begins a hint.</summary>
    public static Style Hint { get; } = new(Color.Teal);

    /// <summary>Style of a cell, by its text: verdicts of comparisons and checks, and what is not there.</summary>
    public static Style? Of(string text) => text switch
    {
        Column<object>.NotRecorded or Column<object>.NotApplicable => s_faint,
        "faster" or "less" or "passed" => s_good,
        "slower" or "more" or "failed" or "violated" => s_bad,
        _ => null,
    };
}
