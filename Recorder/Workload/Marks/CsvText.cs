using System.Globalization;

namespace EtwSerializerProfiler.Marks;

/// <summary>Texts as cells of CSV files.</summary>
public static class CsvText
{
    /// <summary>What spreadsheets take for the beginning of a formula.</summary>
    private static readonly char[] s_formulaStarts = ['=', '+', '-', '@', '\t', '\r'];

    private static readonly char[] s_special = [',', '"', '\r', '\n'];

    /// <summary>
    /// A text that spreadsheets show instead of computing it: names and messages come from recorded programs, and <c>=HYPERLINK(…)</c> in one would be a formula. A text
    /// that begins with <c>=</c>, <c>+</c>, <c>-</c>, <c>@</c>, tab or carriage return gets a single quote in front; a number does not.
    /// </summary>
    public static string Inert(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.IndexOfAny(s_formulaStarts, 0, Math.Min(1, text.Length)) == 0 && !double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? "'" + text : text;
    }

    /// <summary>A text as RFC 4180 has it: in quotes where it needs them.</summary>
    public static string Quoted(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.IndexOfAny(s_special) < 0 ? text : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }
}
