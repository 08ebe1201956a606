using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Contents;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports;

/// <summary>Prints reports, for the commands and the recorder.</summary>
public static class ReportPrinter
{
    /// <summary>Reads a recording and prints its first screen: a summary in text output, the table in CSV and JSON.</summary>
    /// <param name="source">Source of the runs.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="justMyCode">Whether the summary of a program folds the platform's frames into its own methods.</param>
    /// <returns>The printed result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing in the folder is readable.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintFirstScreen(IRunSource source, ReportFormat format, TextWriter output, bool justMyCode = true)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(format == ReportFormat.Table ? RunParts.Findings | RunParts.Stacks : RunParts.Findings);
        Write(With(ReportBuilder.FirstScreen(read, format, justMyCode), read), format, output);
        return read.Result;
    }

    /// <summary>Reads runs and prints their table, with the findings of all rules.</summary>
    /// <inheritdoc cref="PrintFirstScreen"/>
    /// <param name="source">Source of the runs.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="detail">Adds a table of processor time and waiting to text output; CSV and JSON always have its values.</param>
    /// <param name="columns">Columns of text output, by parts of headers or by field names; null or empty for all that fit.</param>
    public static AnalysisResult PrintTable(
        IRunSource source,
        ReportFormat format,
        TextWriter output,
        bool detail = false,
        IReadOnlyList<string>? columns = null
    )
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Findings);
        Write(With(ReportBuilder.Table(read.Input, read.Result, detail, read.FirstCalls, columns), read), format, output);
        return read.Result;
    }

    /// <summary>Reads runs and prints one row per run.</summary>
    /// <inheritdoc cref="PrintFirstScreen"/>
    /// <param name="source">Source of the runs.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="detail">Adds a table of processor time and waiting to text output; CSV and JSON always have its values.</param>
    public static AnalysisResult PrintRuns(IRunSource source, ReportFormat format, TextWriter output, bool detail = false)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.None);
        Write(With(ReportBuilder.Runs(read.Input, read.Result, detail), read), format, output);
        return read.Result;
    }

    /// <summary>Reads a recording with CPU samples and prints the CPU time of its runs.</summary>
    /// <param name="paths">A recording's folder, or the files of one recording.</param>
    /// <param name="query">The query.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable, or there are no CPU samples.</exception>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="UnknownProcessException">No process has the requested name.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintCpu(
        IReadOnlyList<string> paths,
        CpuQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null
    )
    {
        var input = TraceRuns.OpenWithSamples(paths);
        var files = SymbolFiles.Of(input, pdbs);
        var symbols = new SymbolReading(files, withLines: query.Grouping == CpuGrouping.Line);
        var samples = new CpuReading(query, symbols);
        var result = RunAnalysis.Run(input.Processes, input.Missing(), symbols, samples, causes: false, recordings: input.Recordings);
        var report = ReportBuilder.Cpu(input, result, samples.Result());
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads runs with CPU samples and prints each serializer's time by cause.</summary>
    /// <param name="source">Source of the runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable, or there are no CPU samples.</exception>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintCauses(IRunSource source, CausesQuery query, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Samples);
        var report = With(CausesReport.Build(read.Input, read.Result, query, read.SymbolProblems), read);
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads a trace and prints its events by kind.</summary>
    /// <param name="paths">Files of the trace.</param>
    /// <param name="byProcess">Whether to count each process separately.</param>
    /// <param name="top">Maximum rows; null for all.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>Findings on the trace.</returns>
    /// <exception cref="TraceFormatException">The file is not an .etl file.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintContents(
        IReadOnlyList<string> paths,
        bool byProcess,
        int? top,
        ReportFormat format,
        TextWriter output
    )
    {
        var report = ContentsReport.Build(paths, TraceContentsReader.Read(paths, byProcess), byProcess, top);
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads a trace and prints decoded events while reading.</summary>
    /// <param name="paths">Files of the trace.</param>
    /// <param name="query">Selects the events.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <returns>Findings on the trace.</returns>
    /// <exception cref="TraceFormatException">The file is not an .etl file.</exception>
    /// <exception cref="NoEventMatchesException">The trace has no event of the provider, name or process.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintEvents(IReadOnlyList<string> paths, EventQuery query, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(output);
        using var writer = EventListWriter.Create(format, query.Top, output);
        var contents = EventDecoder.Read(paths, query, writer.Write);
        var findings = ContentsFindings.Check(contents);
        writer.End(findings);
        return AnalysisResult.OfFindings(findings);
    }

    /// <summary>Writes a report.</summary>
    public static void Write(Report report, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(output);
        switch (format)
        {
            case ReportFormat.Csv:
                CsvReportWriter.Write(report, output);
                break;
            case ReportFormat.Json:
                JsonReportWriter.Write(report, output);
                break;
            case ReportFormat.Markdown:
                MarkdownReportWriter.Write(report, output);
                break;
            default:
                TextReportWriter.Write(report, output);
                break;
        }
    }

    /// <summary>Appends the notes of the source.</summary>
    internal static Report With(Report report, RunReading read) =>
        read.Notes.Count == 0 ? report : report with { Closing = [.. report.Closing, .. read.Notes] };
}
