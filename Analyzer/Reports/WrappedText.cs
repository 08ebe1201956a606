namespace EtwSerializerProfiler.Reports;

/// <summary>Breaks lines at blanks, but not before a percent sign.</summary>
internal static class WrappedText
{
    private const string NoBreak = "\u00A0%";

    /// <summary>Breaks a text into lines. A word that is longer than a line, as a path, has one of its own.</summary>
    /// <param name="text">The text.</param>
    /// <param name="width">Longest line.</param>
    /// <param name="indent">What further lines begin with.</param>
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
