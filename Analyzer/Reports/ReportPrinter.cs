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

/// <summary>From paths to a printed report: what the commands and the recorder call.</summary>
public static class ReportPrinter
{
    /// <summary>Reads a recording and prints its first screen: for people a summary, for programs the table.</summary>
    /// <param name="source">Where the runs are.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What was printed, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing in the folder can be read.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintFirstScreen(IRunSource source, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(format == ReportFormat.Table ? RunParts.Findings | RunParts.Stacks : RunParts.Findings);
        Write(With(ReportBuilder.FirstScreen(read, format), read), format, output);
        return read.Result;
    }

    /// <summary>Reads runs and prints their table, with all that the rules find.</summary>
    /// <inheritdoc cref="PrintFirstScreen"/>
    /// <param name="source">Where the runs are.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="detail">Adds a table of processor time and waiting for people; programs always get its values.</param>
    /// <param name="columns">Columns that people see, by parts of their headers or names of their fields; null or none for all there is room for.</param>
    public static AnalysisResult PrintTable(IRunSource source, ReportFormat format, TextWriter output, bool detail = false, IReadOnlyList<string>? columns = null)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Findings);
        Write(With(ReportBuilder.Table(read.Input, read.Result, detail, read.FirstCalls, columns), read), format, output);
        return read.Result;
    }

    /// <summary>Reads runs and prints one row a run.</summary>
    /// <inheritdoc cref="PrintFirstScreen"/>
    /// <param name="source">Where the runs are.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="detail">Adds a table of processor time and waiting for people; programs always get its values.</param>
    public static AnalysisResult PrintRuns(IRunSource source, ReportFormat format, TextWriter output, bool detail = false)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.None);
        Write(With(ReportBuilder.Runs(read.Input, read.Result, detail), read), format, output);
        return read.Result;
    }

    /// <summary>Reads a recording with CPU samples and prints where the CPU time of its runs went.</summary>
    /// <param name="paths">A recording's folder, or files that belong together.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <returns>What is known of the runs, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing can be read, or there are no CPU samples.</exception>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="UnknownProcessException">No process has the name that was asked for.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintCpu(IReadOnlyList<string> paths, CpuQuery query, ReportFormat format, TextWriter output, PdbFiles? pdbs = null)
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

    /// <summary>Reads runs with CPU samples and prints what the time of each serializer was spent on.</summary>
    /// <param name="source">Where the runs are.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What is known of the runs, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing can be read, or there are no CPU samples.</exception>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintCauses(IRunSource source, CausesQuery query, ReportFormat format, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(source);
        var read = source.Read(RunParts.Samples);
        var report = With(CausesReport.Build(read.Input, read.Result, query, read.SymbolProblems), read);
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads an .etl trace and prints what fills it.</summary>
    /// <param name="paths">The trace's file, or its files.</param>
    /// <param name="byProcess">Count each process by itself.</param>
    /// <param name="top">Most rows; null for all.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What is to be known about the trace.</returns>
    /// <exception cref="TraceFormatException">It is no .etl file.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintContents(IReadOnlyList<string> paths, bool byProcess, int? top, ReportFormat format, TextWriter output)
    {
        var report = ContentsReport.Build(paths, TraceContentsReader.Read(paths, byProcess), byProcess, top);
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads a trace and prints decoded events as they come.</summary>
    /// <param name="paths">The trace's file, or its files.</param>
    /// <param name="query">Which events.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What is to be known about the trace.</returns>
    /// <exception cref="TraceFormatException">It is no .etl file.</exception>
    /// <exception cref="NoEventMatchesException">The trace has no event of that provider, name or process.</exception>
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
            case ReportFormat.Csv: CsvReportWriter.Write(report, output); break;
            case ReportFormat.Json: JsonReportWriter.Write(report, output); break;
            case ReportFormat.Markdown: MarkdownReportWriter.Write(report, output); break;
            default: TextReportWriter.Write(report, output); break;
        }
    }

    /// <summary>A report that ends with what its source lacks.</summary>
    internal static Report With(Report report, RunReading read) => read.Notes.Count == 0 ? report : report with { Closing = [.. report.Closing, .. read.Notes] };
}
