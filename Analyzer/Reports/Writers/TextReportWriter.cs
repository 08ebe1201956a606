using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>
/// Writes a report for people: header lines, tables, findings, files. On a terminal, tables fit its width and have colours; otherwise lines
/// are as long as necessary.
/// </summary>
internal sealed class TextReportWriter
{
    /// <summary>Wider than any table, because the layout decides on widths.</summary>
    private const int Unlimited = 100_000;

    private readonly TextWriter _output;
    private readonly TextLook _look;

    private TextReportWriter(TextWriter output) => (_output, _look) = (output, TextLook.Of(output));

    public static void Write(Report report, TextWriter output) => new TextReportWriter(output).Write(report);

    private void Write(Report report)
    {
        WriteLines(HeaderLines.Of(report));
        if (!report.IsFirstScreen)
            _output.WriteLine();
        var sections = report.Sections.Where(section => section.IsForPeople).ToList();
        foreach (var section in sections)
        {
            if (section.Title.Length > 0)
                WriteLine(section.Title, CellColours.Header);
            WriteLines(section.Lines);
            WriteSection(section);
            if (!report.IsFirstScreen || section != sections[^1])
                _output.WriteLine();
        }

        WriteLines(report.Closing);
        foreach (var finding in report.ListsFindings ? report.Result.Findings : [])
            WriteFinding(finding);
        if (!_look.Brief && !report.IsFirstScreen)
            WriteLines([$"Read: {string.Join(", ", FilesRead.Of(report.Input.FilesRead))}"]);
    }

    private void WriteLines(IEnumerable<string> lines)
    {
        foreach (var line in lines)
            _output.WriteLine(PrintableText.Of(line));
    }

    private void WriteFinding(Finding finding)
    {
        if (finding.Kind == FindingKind.Warning)
            WriteLine("Warning", $": {finding.Text}.", CellColours.Warning);
        else if (!_look.Brief)
            WriteLine("Hint", $": {finding.Text}.", CellColours.Hint);
    }

    private void WriteSection(Section section)
    {
        if (section.Texts.Count == 0)
        {
            if (section.WhenEmpty.Length > 0)
                _output.WriteLine(section.WhenEmpty);
            return;
        }

        var layout = TableLayout.Fit(section, _look.Width);
        foreach (var part in layout.Parts)
        {
            if (part != layout.Parts[0])
                _output.WriteLine();
            WriteTable(section, layout, part);
        }

        if (layout.LeftOut.Count > 0 && !section.IsCompact)
            _output.WriteLine(
                $"(omitted to fit the {Width(section)}: {string.Join(", ", layout.LeftOut)}; {(section.HasChosenColumns ? "--columns chooses, " : "")}--format {(section.FitsPage ? "json" : "csv")} has all)"
            );
        if (layout.AreNamesShortened)
            _output.WriteLine(
                $"(texts with … are shortened to fit the {Width(section)}; --format {(section.FitsPage ? "json" : "csv")} has them in full)"
            );
    }

    private string Width(Section section) => section.FitsPage && _look.Width is null ? "page width" : "terminal width";

    private void WriteTable(Section section, TableLayout layout, IReadOnlyList<int> columns)
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
                _output.WriteLine(line.TrimEnd());
        }
    }

    private void WriteLine(string text, Style style) => WriteLine(text, "", style);

    private void WriteLine(string styled, string plain, Style style)
    {
        styled = PrintableText.Of(styled);
        if (_look.Colour)
        {
            using var rendered = new StringWriter();
            Console(rendered).Write(new Text(styled, style));
            _output.Write(rendered.ToString());
        }
        else
        {
            _output.Write(styled);
        }

        _output.WriteLine(PrintableText.Of(plain));
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
