using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;

namespace EtwSerializerProfiler.Reports.Writers;

/// <summary>Writes a report for people: header lines, tables, findings, files.</summary>
internal sealed class TextReportWriter
{
    private readonly TextWriter _output;
    private readonly TextTableWriter _tables;
    private readonly bool _brief;

    private TextReportWriter(TextWriter output) =>
        (_output, _tables, _brief) = (output, new TextTableWriter(output), TextLook.Of(output).Brief);

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
                _tables.WriteLine(section.Title, "", CellColours.Header);
            WriteLines(section.Lines);
            _tables.Write(section);
            if (!report.IsFirstScreen || section != sections[^1])
                _output.WriteLine();
        }

        if (_tables.HasBars && report.BarLegend.Length > 0)
            WriteLines([report.BarLegend]);
        WriteLines(report.Closing);
        foreach (var finding in report.ListsFindings ? report.Result.Findings : [])
            WriteFinding(finding);
        if (!_brief && !report.IsFirstScreen)
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
            _tables.WriteLine("Warning", $": {finding.Text}.", CellColours.Warning);
        else if (!_brief)
            _tables.WriteLine("Hint", $": {finding.Text}.", CellColours.Hint);
    }
}
