using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Dumps.Diff;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Dumps.Reports;

/// <summary>The report that compares the heaps of two dumps by type.</summary>
public static class DumpDiffReport
{
    /// <summary>Compares two dumps and prints the report.</summary>
    /// <param name="before">The first dump.</param>
    /// <param name="after">The second dump.</param>
    /// <param name="top">Maximum number of rows for people; null for all.</param>
    /// <param name="debuggingLibrary">The runtime's debugging library; null to search for it beside each runtime.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="stages">Notified before each step; null for no notification.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <returns>The findings.</returns>
    /// <exception cref="TraceFormatException">A dump is invalid or has no heap.</exception>
    /// <exception cref="IOException">A dump cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(
        string before,
        string after,
        int? top,
        string? debuggingLibrary,
        ReportFormat format,
        TextWriter output,
        DumpStages? stages = null,
        DumpProgress? progress = null
    )
    {
        var query = new DumpQuery(DumpSections.Heap) { DebuggingLibrary = debuggingLibrary };
        var (first, second) = (DumpAnalysis.Run(before, query, stages, progress), DumpAnalysis.Run(after, query, stages, progress));
        var (left, right) = (HeapOf(first), HeapOf(second));
        var rows = HeapDiff.Of(left, right);
        IReadOnlyList<TypeDiff> shown = top is { } limit && limit < rows.Count ? [.. rows.Take(limit)] : rows;
        var findings = first
            .Findings.Select(finding => Of(first, finding))
            .Concat(second.Findings.Select(finding => Of(second, finding)))
            .OrderBy(finding => finding.Kind)
            .ToList();
        var report = new Report(
            "dump",
            new TraceInput([before, after], [], [], false, [], [before, after]),
            AnalysisResult.OfFindings(findings),
            [
                Section.Of("types", "", rows, [], HeapColumns.Diff).ForPrograms(),
                Section.ForPeople("Types that differ, largest change first", shown, HeapColumns.Diff),
            ],
            shown.Count < rows.Count ? [Text($"Rows: {shown.Count} of {rows.Count}; --top shows more")] : []
        )
        {
            Header =
            [
                Line("Before", first, left),
                Line("After", second, right),
                Text($"Change: {right.Count - left.Count:+0;-0;0} objects, {(right.Bytes - left.Bytes) / 1e6:+0.000;-0.000;0.000} MB"),
            ],
            Summary =
            [
                ("objectsBefore", left.Count),
                ("objectsAfter", right.Count),
                ("bytesBefore", left.Bytes),
                ("bytesAfter", right.Bytes),
            ],
        };
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    private static HeapResult HeapOf(DumpResult dump) =>
        dump.Heap
        ?? throw DumpErrors.Of(
            dump.Path,
            "the dump has no heap to compare",
            0,
            "a dump of kind heap or full",
            dump.Findings.Count > 0 ? dump.Findings[0].Text : "no heap",
            "take a dump with its heap (--dump-kind heap)"
        );

    /// <summary>Adds the name of the dump to a finding.</summary>
    private static Finding Of(DumpResult dump, Finding finding) => finding with { Text = $"{dump.Path}: {finding.Text}" };

    private static string Line(string side, DumpResult dump, HeapResult heap) =>
        Text(
            $"{side} {dump.Path}: {Plural.Of(heap.Count, "object")}, {heap.Bytes / 1e6:0.000} MB, {dump.Facts.Runtime}, process {dump.Facts.ProcessId}"
        );

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
