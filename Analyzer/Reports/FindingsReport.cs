using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>The report on findings: what is wrong, how sure that is, what it rests on, where to look, what to do.</summary>
public static class FindingsReport
{
    /// <summary>Places and figures that people see of a finding; programs get all.</summary>
    private const int PlacesForPeople = 5;
    private const int FiguresForPeople = 12;

    /// <summary>Reads all that a recording holds and prints what the rules find.</summary>
    /// <param name="source">Where the runs are.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What is known of the runs, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing can be read.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(IRunSource source, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Findings | RunParts.Contents | RunParts.Stacks);
        var report = ReportPrinter.With(Build(read.Input, read.Result, read.NotRecorded), read);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Puts the report together: a section a finding for people, one table for CSV; JSON has them in any report.</summary>
    /// <param name="input">What was read.</param>
    /// <param name="result">Runs and findings.</param>
    /// <param name="notRecorded">What was not recorded, so that rules that need it said nothing.</param>
    public static Report Build(TraceInput input, AnalysisResult result, IReadOnlyList<string> notRecorded)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(notRecorded);
        var sections = new List<Section> { Section.ForCsv(FindingItem.Of(result.Findings), FindingColumns.Csv) };
        for (var i = 0; i < result.Findings.Count; i++)
            sections.AddRange(Sections(i + 1, result.Findings[i]));
        IReadOnlyList<string> closing = notRecorded.Count > 0 ? [Counts(result.Findings), $"Not recorded, so not looked at: {string.Join(", ", notRecorded)}"] : [Counts(result.Findings)];
        return new Report("findings", input, result, sections, closing) { ListsFindings = false, Summary = [("notRecorded", string.Join(", ", notRecorded))] };
    }

    private static IEnumerable<Section> Sections(int number, Finding finding)
    {
        var lines = new List<string> { $"{finding.Sentence}." };
        if (finding.Advice.Length > 0)
            lines.Add($"Fix: {finding.Advice}.");
        var title = string.Create(CultureInfo.InvariantCulture, $"{number}. {finding.Kind} {finding.Code} ({finding.Confidence.ToString().ToLowerInvariant()})");
        yield return Some(title, lines, finding.Evidence, FindingColumns.Evidence, FiguresForPeople, "numbers");
        if (finding.Places.Count > 0)
            yield return Some("", [], finding.Places, FindingColumns.Places, PlacesForPeople, "places");
    }

    /// <summary>A section of the first rows, which says how many there are.</summary>
    private static Section Some<T>(string title, List<string> lines, IReadOnlyList<T> rows, IReadOnlyList<Column<T>> columns, int most, string what)
    {
        if (rows.Count > most)
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"The first {most} of {rows.Count} {what}:"));
        return Section.ForPeople(title, [.. rows.Take(most)], columns).With(lines);
    }

    private static string Counts(IReadOnlyList<Finding> findings)
    {
        var warnings = findings.Count(finding => finding.Kind == FindingKind.Warning);
        var hints = findings.Count - warnings;
        return string.Create(CultureInfo.InvariantCulture, $"Findings: {Plural.Of(warnings, "warning")}, {Plural.Of(hints, "hint")}");
    }
}

/// <summary>A line of the findings as CSV: a finding, or a figure or place of it.</summary>
/// <param name="Number">Number of the finding in the report, from 1.</param>
/// <param name="Finding">The finding.</param>
/// <param name="Figure">The figure, null of other lines.</param>
/// <param name="Place">The place, null of other lines.</param>
public sealed record FindingItem(int Number, Finding Finding, FindingFigure? Figure, FindingPlace? Place)
{
    /// <summary>What the line is.</summary>
    public string Item => Figure is not null ? "Figure" : Place is not null ? "Place" : "Finding";

    /// <summary>All lines: each finding with its figures and places behind it.</summary>
    public static IReadOnlyList<FindingItem> Of(IReadOnlyList<Finding> findings) =>
    [
        .. findings.SelectMany((finding, index) => finding.Evidence.Select(figure => new FindingItem(index + 1, finding, figure, null))
            .Concat(finding.Places.Select(place => new FindingItem(index + 1, finding, null, place))).Prepend(new FindingItem(index + 1, finding, null, null))),
    ];
}
