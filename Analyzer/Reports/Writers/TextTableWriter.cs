using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes tables for people. On a terminal they fit its width and have colours; otherwise lines are as long as necessary.
/// </summary>
/// <param name="output">Receives the tables.</param>
public sealed class TextTableWriter(TextWriter output)
{
    /// <summary>Wider than any table: <see cref="TableLayout"/> has already decided on the widths.</summary>
    private const int Unlimited = 100_000;

    private readonly TextLook _look = TextLook.Of(output);

    /// <summary>Whether a table showed a column of bars, which a narrow terminal drops.</summary>
    public bool HasBars { get; private set; }

    /// <summary>Writes the rows of a section, or its text for the case that it has none.</summary>
    public void Write(Section section)
    {
        ArgumentNullException.ThrowIfNull(section);
        if (section.Texts.Count == 0)
        {
            if (section.WhenEmpty.Length > 0)
                output.WriteLine(section.WhenEmpty);
            return;
        }

        var layout = TableLayout.Fit(section, _look.Width);
        foreach (var part in layout.Parts)
        {
            if (part != layout.Parts[0])
                output.WriteLine();
            Write(section, layout, part);
            HasBars = HasBars || part.Any(column => section.IsBar[column]);
        }

        if (layout.LeftOut.Count > 0 && !section.IsCompact)
            output.WriteLine(
                $"(omitted to fit the {Width(section)}: {string.Join(", ", layout.LeftOut)}; {(section.HasChosenColumns ? "--columns chooses, " : "")}--format {(section.FitsPage ? "json" : "csv")} has all)"
            );
        if (layout.AreNamesShortened)
            output.WriteLine(
                $"(texts with … are shortened to fit the {Width(section)}; --format {(section.FitsPage ? "json" : "csv")} has them in full)"
            );
    }

    /// <summary>Writes a text with a style, and a plain one after it.</summary>
    internal void WriteLine(string styled, string plain, Style style)
    {
        styled = PrintableText.Of(styled);
        if (_look.Colour)
        {
            using var rendered = new StringWriter();
            Console(rendered).Write(new Text(styled, style));
            output.Write(rendered.ToString());
        }
        else
        {
            output.Write(styled);
        }

        output.WriteLine(PrintableText.Of(plain));
    }

    private string Width(Section section) => section.FitsPage && _look.Width is null ? "page width" : "terminal width";

    private void Write(Section section, TableLayout layout, IReadOnlyList<int> columns)
    {
        var table = new Table { Border = section.IsCompact ? TableBorder.None : TableBorder.Minimal };
        foreach (var column in columns)
        {
            var width = layout.Wrapped.TryGetValue(column, out var wrapped) ? wrapped : (int?)null;
            var added = new TableColumn(new Text(layout.Headers[column], CellColours.Header))
            {
                NoWrap = width is null,
                Width = width,
                Alignment = section.IsNumber[column] ? Justify.Right : Justify.Left,
            };
            table.AddColumn(section.IsCompact ? added.Padding(0, 0, 2, 0) : added);
        }

        foreach (var row in layout.Rows)
            table.AddRow(
                columns.Select(column =>
                    section.IsBar[column] ? CellColours.Bar(row[column]) : (IRenderable)new Text(row[column], CellColours.Of(row[column]))
                )
            );

        using var rendered = new StringWriter();
        Console(rendered).Write(table);
        foreach (var line in rendered.ToString().ReplaceLineEndings("\n").Split('\n'))
        {
            if (!string.IsNullOrWhiteSpace(line))
                output.WriteLine(line.TrimEnd());
        }
    }

    private IAnsiConsole Console(TextWriter rendered)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = _look.Colour ? AnsiSupport.Yes : AnsiSupport.No,
                ColorSystem = _look.Colour ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
                Interactive = InteractionSupport.No,
                Out = new AnsiConsoleOutput(rendered),
            }
        );
        console.Profile.Width = Unlimited;
        console.Profile.Capabilities.Unicode = true;
        return console;
    }
}
