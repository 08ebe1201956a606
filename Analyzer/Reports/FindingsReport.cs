using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Report on findings: problem, confidence, evidence, locations and advice.</summary>
public static class FindingsReport
{
    /// <summary>Maximum locations and evidence numbers per finding in text output; CSV and JSON have all.</summary>
    private const int LocationsForPeople = 5;
    private const int EvidenceForPeople = 12;

    /// <summary>Reads everything in a recording and prints what the rules find.</summary>
    /// <param name="source">Source of the runs.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(IRunSource source, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Findings | RunParts.Contents | RunParts.Stacks);
        var report = ReportPrinter.With(Build(read.Input, read.Result, read.NotRecorded), read);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>
    /// Builds the report: one section per finding for text output, one table for CSV. In JSON, every report has the findings.
    /// </summary>
    /// <param name="input">The trace input.</param>
    /// <param name="result">Runs and findings.</param>
    /// <param name="notRecorded">What was not recorded, so that rules that need it did not apply.</param>
    public static Report Build(TraceInput input, AnalysisResult result, IReadOnlyList<string> notRecorded)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(notRecorded);
        var sections = new List<Section> { Section.ForCsv(FindingItem.Of(result.Findings), FindingColumns.Csv) };
        for (var i = 0; i < result.Findings.Count; i++)
            sections.AddRange(Sections(i + 1, result.Findings[i]));
        IReadOnlyList<string> closing =
            notRecorded.Count > 0
                ? [Counts(result.Findings), $"Not recorded, so not checked: {string.Join(", ", notRecorded)}"]
                : [Counts(result.Findings)];
        return new Report("findings", input, result, sections, closing)
        {
            ListsFindings = false,
            Summary = [("notRecorded", string.Join(", ", notRecorded))],
        };
    }

    private static IEnumerable<Section> Sections(int number, Finding finding)
    {
        var lines = new List<string> { $"{finding.Sentence}." };
        if (finding.Advice.Length > 0)
            lines.Add($"Fix: {finding.Advice}.");
        var title = string.Create(
            CultureInfo.InvariantCulture,
            $"{number}. {finding.Kind} {finding.Code} ({finding.Confidence.ToString().ToLowerInvariant()})"
        );
        yield return Some(title, lines, finding.Evidence, FindingColumns.Evidence, EvidenceForPeople, "numbers");
        if (finding.Locations.Count > 0)
            yield return Some("", [], finding.Locations, FindingColumns.Locations, LocationsForPeople, "locations");
    }

    /// <summary>A section with the first rows and their total number.</summary>
    private static Section Some<T>(
        string title,
        List<string> lines,
        IReadOnlyList<T> rows,
        IReadOnlyList<Column<T>> columns,
        int max,
        string what
    )
    {
        if (rows.Count > max)
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"The first {max} of {rows.Count} {what}:"));
        return Section.ForPeople(title, [.. rows.Take(max)], columns).With(lines);
    }

    private static string Counts(IReadOnlyList<Finding> findings)
    {
        var warnings = findings.Count(finding => finding.Kind == FindingKind.Warning);
        var hints = findings.Count - warnings;
        return string.Create(CultureInfo.InvariantCulture, $"Findings: {Plural.Of(warnings, "warning")}, {Plural.Of(hints, "hint")}");
    }
}

/// <summary>A line of the findings as CSV: a finding, evidence number or location.</summary>
/// <param name="Number">Number of the finding in the report, from 1.</param>
/// <param name="Finding">The finding.</param>
/// <param name="Evidence">The evidence number; null in other lines.</param>
/// <param name="Location">The location; null in other lines.</param>
public sealed record FindingItem(int Number, Finding Finding, FindingEvidence? Evidence, FindingLocation? Location)
{
    /// <summary>Kind of the line.</summary>
    public string Item =>
        Evidence is not null ? "Evidence"
        : Location is not null ? "Location"
        : "Finding";

    /// <summary>All lines: each finding, followed by its evidence and locations.</summary>
    public static IReadOnlyList<FindingItem> Of(IReadOnlyList<Finding> findings) =>
        [
            .. findings.SelectMany(
                (finding, index) =>
                    finding
                        .Evidence.Select(evidence => new FindingItem(index + 1, finding, evidence, null))
                        .Concat(finding.Locations.Select(location => new FindingItem(index + 1, finding, null, location)))
                        .Prepend(new FindingItem(index + 1, finding, null, null))
            ),
        ];
}
