using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports;

/// <summary>The first screen of runs that were marked: which serializer is slow, why, and how far to believe it. The default suite's fits 100 columns and 45 lines.</summary>
internal static class SuiteSummary
{
    private const int MostTests = 4;
    private const int MostRows = 40;
    private const int ScreenLines = 44; // and one for the page
    private const int MostFindings = 5;
    private const int MostFirstUses = 3;
    private const int BarLength = 10;
    private const int WordsLength = 23;
    private const int LineLength = 100;

    /// <summary>Share of the time in pauses, in %, from which collections are counted in a row.</summary>
    private const double LeastPausePercent = 10;

    /// <summary>The median over the minimum from which a row names the minimum.</summary>
    private const double FarFromMinimum = 1.25;

    /// <summary>Findings that the verdict tells, or that are about what is not on the screen.</summary>
    private static readonly HashSet<string> s_toldElsewhere = ["noisy-machine", "spread", "short-runs", "delimiter-error", "left-out", "sample-interval"];

    /// <summary>The table's report with the summary in the place of its rows; programs get the rows all the same.</summary>
    /// <param name="table">The table.</param>
    /// <param name="read">What was read.</param>
    public static Report InPlaceOf(Report table, RunReading read)
    {
        var result = read.Result;
        var measured = result.Rows.Where(row => row.Runs > 0).ToList();
        var rows = measured.Count > 0 ? measured : result.FirstUseRows.Where(row => row.Runs > 0 && row.Key.Kind == RunKind.FirstCall).ToList();
        var tests = rows.GroupBy(row => row.Key.Test).Select(LargestRows.Of).ToList();
        var shown = tests.Take(MostTests).ToList();
        var sections = shown.Select(Of).ToList();
        var folder = read.Input.Paths.Count == 1 ? read.Input.Paths[0] : "FOLDER";

        List<string> closing = [.. Legend(shown)];
        var notShown = Subjects(rows) - shown.Sum(test => Subjects(test.Take(MostRows)));
        if (notShown > 0)
            closing.Add(Line($"Not shown: {notShown} serializer{(notShown == 1 ? "" : "s")} of a test (of other tests, or with other object counts): esp-analyze table {folder}"));
        if (measured.Count > 0 && FirstUse(result) is { } first)
            closing.Add(first);
        closing.AddRange(Trust(result, shown));
        var header = HeaderLines.Brief(table);
        var lines = header.Count + sections.Sum(section => section.Texts.Count + 2) + closing.Count;
        closing.AddRange(Findings(result, Math.Clamp(ScreenLines - lines, 1, MostFindings)));
        closing.Add($"More: esp-analyze table|causes|findings {folder}");
        return table with
        {
            Header = header,
            Sections = [.. sections, .. table.Sections.Select(section => section.Key is "rows" or "firstUseRows" ? section.ForPrograms() : section)],
            Closing = [.. closing, .. table.Closing],
            ListsFindings = false,
            IsFirstScreen = true,
        };
    }

    /// <summary>Serializers, on each runtime, of each test.</summary>
    private static int Subjects(IEnumerable<SummaryRow> rows) => rows.Select(row => (row.Key.Test, row.Key.Serializer, row.Key.Runtime)).Distinct().Count();

    /// <summary>A test's rows, the fastest first.</summary>
    private static Section Of(IReadOnlyList<SummaryRow> rows)
    {
        var ranked = rows.OrderBy(RowTrust.RankMs).Take(MostRows).ToList();
        var key = ranked[0].Key;
        var test = key.Test + (key.ObjectCount > 0 ? Line($", N={key.ObjectCount}") : "") + (key.Kind == RunKind.FirstCall ? ", first call" : "");
        return Section.ForPeople("", ranked, Columns(test, RowTrust.RankMs(ranked[0]))) with { IsCompact = true };
    }

    private static List<Column<SummaryRow>> Columns(string test, double? fastest) =>
    [
        new("serializer", test, row => row.Key.Serializer + (row.Key.Runtime.Length > 0 ? $" on {row.Key.Runtime}" : "")),
        new("median", "Median ms", row => Digits(row.WallMedianMs!.Value) + (RowTrust.LackedProcessor(row) ? "*" : " "), "0"),
        new("ratio", "×", row => RowTrust.RankMs(row) / fastest, "0.0") { Absent = _ => Column<SummaryRow>.NotApplicable },
        new("note", "Note", Note) { ShownWith = row => Note(row).Length > 0, LeftOutFirst = 1 },
        new("bar", "Time", row => CauseLetters.Bar(row, BarLength)) { IsBar = true, LeftOutFirst = 2, ShownWith = row => row.Causes is not null },
        new("causes", "CPU time by cause", row => CauseLetters.Words(row, WordsLength)),
        new("perObject", "B/obj", row => row.AllocatedBytesPerObject, "0") { ShownWith = row => row.AllocatedBytesPerObject is not null, LeftOutFirst = 3 },
        new("data", "MB", row => (double?)row.DataBytes, "0.0") { Scale = 1e6, ShownWith = row => row.DataBytes is >= 100_000, LeftOutFirst = 4, Absent = _ => Column<SummaryRow>.NotApplicable },
    ];

    /// <summary>What is to be known about a row before it is believed, the weightiest alone.</summary>
    private static string Note(SummaryRow row) =>
        RowTrust.LackedProcessor(row) && RowTrust.RankMs(row) is { } cpu ? $"*CPU {Digits(cpu)}"
        : row is { PausePercent: >= LeastPausePercent, Gcs: { } gcs } ? $"GC {gcs}"
        : row.WallMedianMs > FarFromMinimum * row.WallMinMs ? $"min {Digits(row.WallMinMs!.Value)}"
        : row.FailedRuns > 0 ? Line($"{row.FailedRuns} failed") : "";

    private static IEnumerable<string> Legend(List<List<SummaryRow>> tests)
    {
        var rows = tests.SelectMany(rows => rows.OrderBy(RowTrust.RankMs).Take(MostRows)).ToList();
        if (rows.Any(row => row.Causes is not null))
            yield return CauseLetters.Legend(rows.Select(row => CauseLetters.Bar(row, BarLength) ?? ""));
    }

    /// <summary>The slowest first uses, as many as a line holds.</summary>
    private static string? FirstUse(AnalysisResult result)
    {
        string? line = null;
        foreach (var row in result.FirstUseRows.Where(row => row.Runs > 0).OrderByDescending(row => row.WallMedianMs).Take(MostFirstUses))
        {
            var next = (line is null ? "Slowest first uses: " : line + ", ") + Line($"{row.Key.Serializer} {row.Key.Test}{(row.Key.Runtime.Length > 0 ? " on " + row.Key.Runtime : "")} {row.WallMedianMs:0} ms");
            if (line is not null && next.Length > LineLength)
                break;
            line = next;
        }

        return line;
    }

    private static IEnumerable<string> Trust(AnalysisResult result, List<List<SummaryRow>> tests)
    {
        var trust = TableTrust.Of(result, tests.SelectMany(rows => rows));
        yield return $"Trust: {trust.Text}";
        if (trust.Reasons.Length > 0)
            yield return $"  {trust.Reasons}{(trust.LackedProcessor > 0 ? " (* by CPU time)" : "")}";
    }

    /// <summary>Warnings and what is certain, a line each; the last says how many there are besides.</summary>
    private static IEnumerable<string> Findings(AnalysisResult result, int most)
    {
        var told = result.Findings.Where(finding => finding.Kind == FindingKind.Warning || (finding.Confidence == FindingConfidence.Certain && !s_toldElsewhere.Contains(finding.Code))).ToList();
        foreach (var (number, finding) in told.Take(most).Index())
        {
            var rest = number == most - 1 && told.Count > most ? Line($" ({told.Count - most} more)") : "";
            var text = $"{finding.Kind}: {finding.Sentence}";
            yield return (text.Length + rest.Length < LineLength ? text : text[..(LineLength - rest.Length - 1)] + "…") + rest;
        }
    }

    /// <summary>Three digits, as many as a median of a few runs can have.</summary>
    private static string Digits(double value) => value.ToString(value switch { < 10 => "0.00", < 100 => "0.0", _ => "0" }, CultureInfo.InvariantCulture);

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
