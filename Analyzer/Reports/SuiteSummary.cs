using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports;

/// <summary>
/// The first screen of marked runs: which serializer is slow, why, and how far to trust it. For the default suite it fits 100 columns and
/// 45 lines.
/// </summary>
internal static class SuiteSummary
{
    private const int MaxTests = 4;
    private const int MaxRows = 40;
    private const int MaxLines = 44; // the recorder adds a line with the page's name
    private const int MaxFindings = 5;
    private const int MaxFirstUses = 3;
    private const int BarLength = 10;
    private const int MaxWordsLength = 23;
    private const int MaxLineLength = 100;

    /// <summary>GC pause in % of the wall time from which a row shows its GCs.</summary>
    private const double MinPausePercent = 10;

    /// <summary>Ratio of median to minimum from which a row shows the minimum.</summary>
    private const double FarFromMinimum = 1.25;

    /// <summary>Findings that the header or the verdict covers, and findings on object counts that the summary omits.</summary>
    private static readonly HashSet<string> s_coveredElsewhere =
    [
        .. TableTrust.NoiseFindings,
        "short-runs",
        "delimiter-error",
        "left-out",
        "sample-interval",
    ];

    /// <summary>Replaces the table's rows with the summary, for people only.</summary>
    /// <param name="table">The table.</param>
    /// <param name="read">The runs and findings.</param>
    public static Report InPlaceOf(Report table, RunReading read)
    {
        var result = read.Result;
        var hasMeasured = result.Rows.Any(row => row.Runs > 0);
        var rows = hasMeasured ? result.Rows : [.. result.FirstUseRows.Where(row => row.Key.Kind == RunKind.FirstCall)];
        var tests = rows.GroupBy(row => row.Key.Test)
            .Select(test => CommonObjectCount.RowsOf(test))
            .Take(MaxTests)
            .Select(test => test.OrderBy(row => RowTrust.RankMs(row) ?? double.MaxValue).Take(MaxRows).ToList())
            .ToList();
        var sections = tests.Select(Of).ToList();
        var folder = read.Input.Paths.Count == 1 ? read.Input.Paths[0] : "FOLDER";

        var legend = Legend(tests);
        List<string> closing = [];
        var omitted = Subjects(rows) - tests.Sum(Subjects);
        if (omitted > 0)
            closing.Add(
                Line(
                    $"Omitted: {Plural.Of(omitted, ReportBuilder.AreOfEvents(result) ? "row" : "serializer")} (in other tests, or with other object counts): esp-analyze table {folder}"
                )
            );
        var header = HeaderLines.Brief(table);
        var trust = Trust(result, tests).ToList();
        var lines =
            header.Count
            + sections.Sum(section => TableLayout.Fit(section, width: null).HeaderLines + section.Texts.Count + 1)
            + (legend.Length > 0 ? 1 : 0)
            + closing.Count
            + trust.Count;
        if (hasMeasured && lines + 1 < MaxLines && FirstUse(result) is { } first) // one line is for findings
        {
            closing.Add(first);
            lines++;
        }

        closing.AddRange(trust);
        var findings = Findings(result).ToList();
        var shown = Math.Min(findings.Count, Math.Clamp(MaxLines - lines, 1, MaxFindings));
        closing.AddRange(findings[..shown]);
        closing.Add(
            $"More: esp-analyze table {folder} (or causes, findings{(findings.Count > shown ? Line($": {findings.Count - shown} more") : "")})"
        );
        return table with
        {
            Header = header,
            Sections =
            [
                .. sections,
                .. table.Sections.Select(section => section.Key is "rows" or "firstUseRows" ? section.ForPrograms() : section),
            ],
            BarLegend = legend,
            Closing = [.. closing, .. table.Closing],
            ListsFindings = false,
            IsFirstScreen = true,
        };
    }

    private static int Subjects(IEnumerable<SummaryRow> rows) =>
        rows.Select(row => (row.Key.Test, row.Key.Serializer, row.Key.Runtime)).Distinct().Count();

    private static Section Of(List<SummaryRow> ranked)
    {
        var key = ranked[0].Key;
        var test =
            key.Test + (key.ObjectCount > 0 ? Line($", N={key.ObjectCount}") : "") + (key.Kind == RunKind.FirstCall ? ", first call" : "");
        return Section.ForPeople("", ranked, Columns(test, RowTrust.RankMs(ranked[0]), ranked.Any(CauseLetters.HasFewSamples))) with
        {
            IsCompact = true,
        };
    }

    private static List<Column<SummaryRow>> Columns(string test, double? fastest, bool anyHasFewSamples) =>
        [
            new("serializer", test, row => row.Key.Serializer + (row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : "")),
            new(
                "median",
                "Median ms",
                row => row.WallMedianMs is { } median ? Digits(median) + (RowTrust.LackedProcessor(row) ? "*" : " ") : null,
                "0"
            )
            {
                Absent = _ => Column<SummaryRow>.Failed,
            },
            new("ratio", "×", row => RowTrust.RankMs(row) / fastest, "0.0") { Absent = _ => Column<SummaryRow>.NotApplicable },
            new("note", "Note", Note) { ShownWith = row => Note(row).Length > 0, LeftOutFirst = 1 },
            new("bar", "Time", row => CauseLetters.Bar(row, BarLength))
            {
                IsBar = true,
                LeftOutFirst = 2,
                ShownWith = row => row.Causes is not null,
                Absent = _ => "",
            },
            new(
                "causes",
                anyHasFewSamples ? "CPU time, ~ few samples" : "CPU time by cause",
                row => CauseLetters.Words(row, MaxWordsLength)
            )
            {
                Absent = row => row.Runs == 0 ? "" : Column<SummaryRow>.NotRecorded,
            },
            new("perObject", "B/obj", row => row.AllocatedBytesPerObject, "0")
            {
                ShownWith = row => row.AllocatedBytesPerObject is not null,
                LeftOutFirst = 3,
                Absent = _ => Column<SummaryRow>.NotApplicable,
            },
            new("data", "MB", row => (double?)row.DataBytes, "0.0")
            {
                Scale = 1e6,
                ShownWith = row => row.DataBytes is >= 100_000,
                LeftOutFirst = 4,
                Absent = _ => Column<SummaryRow>.NotApplicable,
            },
        ];

    /// <summary>The most important caveat of a row; empty for none.</summary>
    private static string Note(SummaryRow row) =>
        row.FailedRuns > 0 && row.Runs > 0 ? Line($"{row.FailedRuns} failed")
        : RowTrust.LackedProcessor(row) && RowTrust.RankMs(row) is { } cpu ? $"*CPU {Digits(cpu)}"
        : RowTrust.UnsettledMethods(row) is not null ? "unsettled"
        : RowTrust.LaunchRange(row) is var (lowest, highest) ? $"{Digits(lowest)}–{Digits(highest)}"
        : row is { PausePercent: >= MinPausePercent, Gcs: { } gcs } ? $"GC {gcs}"
        : row.WallMedianMs > FarFromMinimum * row.WallMinMs ? $"min {Digits(row.WallMinMs!.Value)}"
        : "";

    private static string Legend(List<List<SummaryRow>> tests)
    {
        var bars = tests.SelectMany(rows => rows).Select(row => CauseLetters.Bar(row, BarLength)).OfType<string>().ToList();
        return bars.Count > 0 ? CauseLetters.Legend(bars) : "";
    }

    /// <summary>As many of the slowest first uses as fit one line; null without any.</summary>
    private static string? FirstUse(AnalysisResult result)
    {
        string? line = null;
        foreach (var row in result.FirstUseRows.Where(row => row.Runs > 0).OrderByDescending(row => row.WallMedianMs).Take(MaxFirstUses))
        {
            var next =
                (line is null ? "Slowest first uses: " : line + ", ")
                + Line(
                    $"{row.Key.Serializer} {row.Key.Test}{(row.Key.Runtime.Length > 0 ? " on " + row.Key.Runtime : "")} {row.WallMedianMs:0} ms"
                );
            if (line is not null && next.Length > MaxLineLength)
                break;
            line = next;
        }

        return line;
    }

    private static IEnumerable<string> Trust(AnalysisResult result, List<List<SummaryRow>> tests)
    {
        var trust = TableTrust.Of(result, tests.SelectMany(rows => rows));
        foreach (var line in WrappedText.Lines($"Trust: {trust.Text}", MaxLineLength))
            yield return line;
        if (trust.Reasons.Length == 0)
            yield break;
        foreach (
            var line in WrappedText.Lines(
                "  " + trust.Reasons.Replace(TableTrust.Lacked, TableTrust.Lacked + " (*)", StringComparison.Ordinal),
                MaxLineLength
            )
        )
            yield return line;
    }

    /// <summary>Warnings and certain hints, one per line without its last words where it is too long.</summary>
    private static IEnumerable<string> Findings(AnalysisResult result) =>
        result
            .Findings.Where(finding =>
                finding.Kind == FindingKind.Warning
                || (finding.Confidence == FindingConfidence.Certain && !s_coveredElsewhere.Contains(finding.Code))
            )
            .Select(finding => $"{finding.Kind}: {finding.Sentence}")
            .Select(text => text.Length <= MaxLineLength ? text : text[..text.LastIndexOf(' ', MaxLineLength - 2)].TrimEnd(',') + " …");

    /// <summary>Three digits: the median of a few runs is no more exact.</summary>
    private static string Digits(double value) =>
        value.ToString(
            value switch
            {
                < 10 => "0.00",
                < 100 => "0.0",
                _ => "0",
            },
            CultureInfo.InvariantCulture
        );

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
