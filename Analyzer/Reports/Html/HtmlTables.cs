namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes tables with the texts of the command line.</summary>
internal static class HtmlTables
{
    /// <summary>Writes the sections of text output; the first one with rows is open, the others are collapsed.</summary>
    public static void Write(HtmlWriter html, IReadOnlyList<Section> sections)
    {
        var shown = sections.Where(section => section.IsForPeople).ToList();
        var open = Math.Max(0, shown.FindIndex(section => section.Texts.Count > 0));
        for (var i = 0; i < shown.Count; i++)
        {
            if (i == open)
            {
                if (shown[i].Title.Length > 0)
                    html.Element("h3", shown[i].Title);
                Write(html, shown[i]);
                continue;
            }

            html.Open("details").Element("summary", shown[i].Title.Length > 0 ? shown[i].Title : "More");
            Write(html, shown[i]);
            html.Close().Line();
        }
    }

    /// <summary>
    /// Length of a text from which it may be broken into lines: the name of a row, so that the numbers beside it stay in view, and a column
    /// of sentences.
    /// </summary>
    private const int LongText = 60;

    private const string BrokenName = "white-space:normal;overflow-wrap:anywhere;min-width:24em";

    /// <summary>Writes a table.</summary>
    /// <param name="html">The page.</param>
    /// <param name="section">The table.</param>
    /// <param name="wrapsProse">Whether sentences are broken into lines; without it each row is one line, and a wide table scrolls.</param>
    public static void Write(HtmlWriter html, Section section, bool wrapsProse = false)
    {
        foreach (var line in section.Lines)
            html.Element("p", line);
        if (section.Texts.Count == 0)
        {
            if (section.WhenEmpty.Length > 0)
                html.Element("p", section.WhenEmpty, ("class", "empty"));
            return;
        }

        html.Open(
                "div",
                ("class", "scroll"),
                ("tabindex", "0"),
                ("role", "region"),
                ("aria-label", section.Title.Length > 0 ? section.Title : "Table")
            )
            .Open("table", ("class", "sortable"));
        html.Open("thead").Open("tr");
        for (var i = 0; i < section.Headers.Count; i++)
            html.Element("th", section.Headers[i], ("scope", "col"), ("class", Class(section, i)));
        html.Close().Close().Line().Open("tbody");
        var styles = section.Headers.Select((_, column) => wrapsProse ? Style(section, column) : null).ToArray();
        foreach (var row in section.Texts)
        {
            html.Open("tr");
            for (var i = 0; i < row.Length; i++)
                html.Element(
                    i == 0 ? "th" : "td",
                    row[i],
                    ("scope", i == 0 ? "row" : null),
                    ("class", Class(section, i)),
                    ("style", styles[i] ?? (i == 0 && row[i].Length >= LongText ? BrokenName : null))
                );
            html.Close().Line();
        }

        html.Close().Close().Close().Line();
    }

    private static string? Style(Section section, int column) =>
        section.Texts.Any(row => row[column].Length >= LongText) ? "white-space:normal;min-width:20em;max-width:60em" : null;

    private static string? Class(Section section, int column) => section.IsNumber[column] ? "n" : null;
}
