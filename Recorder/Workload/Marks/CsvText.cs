using System.Globalization;

namespace EtwSerializerProfiler.Marks;

/// <summary>Formats texts as cells of CSV files.</summary>
public static class CsvText
{
    /// <summary>Characters at which spreadsheets begin a formula.</summary>
    private static readonly char[] s_formulaStarts = ['=', '+', '-', '@', '\t', '\r'];

    private static readonly char[] s_special = [',', '"', '\r', '\n'];

    /// <summary>
    /// Makes a text safe for spreadsheets, which would evaluate <c>=HYPERLINK(…)</c> in a name or message of a recorded program. A text
    /// that begins with <c>=</c>, <c>+</c>, <c>-</c>, <c>@</c>, tab or carriage return gets a leading single quote; a number does not.
    /// </summary>
    public static string Inert(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return
            text.IndexOfAny(s_formulaStarts, 0, Math.Min(1, text.Length)) == 0
            && !double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _)
            ? "'" + text
            : text;
    }

    /// <summary>Quotes a text if RFC 4180 requires it.</summary>
    public static string Quoted(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.IndexOfAny(s_special) < 0 ? text : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }
}
