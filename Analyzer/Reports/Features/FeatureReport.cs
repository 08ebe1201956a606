using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Features;

/// <summary>Writes the features of serializers, for people.</summary>
public static class FeatureReport
{
    private const int PageWidth = 100;

    /// <summary>Writes a grid with a letter per cell.</summary>
    /// <param name="cells">The cells, of one runtime.</param>
    /// <param name="withNotes">Whether to add the reasons.</param>
    /// <param name="output">Receives the text.</param>
    public static void WriteText(IReadOnlyList<FeatureCell> cells, bool withNotes, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(cells);
        ArgumentNullException.ThrowIfNull(output);
        var grid = new FeatureGrid(cells);
        var tables = new TextTableWriter(output);
        output.WriteLine(Heading(cells));
        output.WriteLine();
        foreach (var line in grid.Legend(Math.Min(TextLook.Of(output).Width ?? PageWidth, PageWidth)))
            output.WriteLine(line);
        foreach (var section in grid.Values is { } values ? grid.Groups.Append(values) : grid.Groups)
        {
            output.WriteLine();
            tables.Write(section);
        }

        var notes = grid.Notes().ToList();
        if (withNotes)
        {
            output.WriteLine();
            foreach (var note in notes)
            {
                foreach (var line in TextLook.Of(output).Width is { } width ? WrappedText.Lines(note, width) : [note])
                    output.WriteLine(line);
            }
        }
        else if (notes.Count > 0)
        {
            output.WriteLine();
            output.WriteLine($"--notes adds {Plural.Of(notes.Count, "reason")}; --format markdown and csv have them too");
        }
    }

    /// <summary>Writes a table per group with serializers as rows, numbered notes and the versions, in GitHub's Markdown.</summary>
    /// <param name="cells">The cells, of one runtime.</param>
    /// <param name="output">Receives the text.</param>
    public static void WriteMarkdown(IReadOnlyList<FeatureCell> cells, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(cells);
        ArgumentNullException.ThrowIfNull(output);
        var matrix = new FeatureMatrix(cells);
        output.WriteLine(MarkdownReportWriter.Escape(Heading(cells)));
        output.WriteLine();
        output.WriteLine("opt-in: works with an option of the serializer. own types only: takes only types that are generated for it.");
        output.WriteLine();
        foreach (var section in matrix.Groups)
            MarkdownReportWriter.Write(section, output);
        foreach (var note in matrix.Notes)
            output.WriteLine($"- {MarkdownReportWriter.Escape(note)}");
        output.WriteLine();
        var versions = cells.DistinctBy(cell => cell.Serializer).Select(cell => $"{cell.Serializer} ({cell.Library})");
        output.WriteLine($"Versions: {MarkdownReportWriter.Escape(string.Join(", ", versions))}.");
    }

    private static string Heading(IReadOnlyList<FeatureCell> cells) =>
        $"Features, each tried by writing an object and reading it back, on {cells[0].Runtime}, {cells[0].System}, {cells[0].MeasuredUtc}";
}
