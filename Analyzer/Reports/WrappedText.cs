namespace EtwSerializerProfiler.Reports;

/// <summary>Breaks lines at blanks, except before a percent sign.</summary>
internal static class WrappedText
{
    private const string NoBreak = "\u00A0%";

    /// <summary>Breaks a text into lines. A word longer than a line, such as a path, gets its own line.</summary>
    /// <param name="text">The text.</param>
    /// <param name="width">Maximum line length.</param>
    /// <param name="indent">Indentation of continuation lines.</param>
    public static IEnumerable<string> Lines(string text, int width, string indent = "  ")
    {
        var words = text.TrimStart();
        var line = text[..(text.Length - words.Length)];
        var isEmpty = true;
        foreach (var part in words.Replace(" %", NoBreak, StringComparison.Ordinal).Split(' '))
        {
            var word = part.Replace(NoBreak, " %", StringComparison.Ordinal);
            if (!isEmpty && line.Length + 1 + word.Length > width)
            {
                yield return line;
                (line, isEmpty) = (indent, true);
            }

            line += isEmpty ? word : " " + word;
            isEmpty = false;
        }

        yield return line;
    }
}
