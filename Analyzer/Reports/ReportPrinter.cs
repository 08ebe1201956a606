using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Contents;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Reports.Stored;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports;

/// <summary>From paths to a printed report: what the commands and the recorder call.</summary>
public static class ReportPrinter
{
    /// <summary>Reads a recording's folder and prints its table.</summary>
    /// <param name="recordingFolder">Folder written by esp-record.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <returns>What was printed, findings included.</returns>
    /// <exception cref="TraceFormatException">Nothing in the folder can be read.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult PrintTable(string recordingFolder, ReportFormat format, TextWriter output) => PrintTable([recordingFolder], format, output);

    /// <summary>Reads recordings or trace files and prints their table, with all that the rules find.</summary>
    /// <inheritdoc cref="PrintTable(string, ReportFormat, TextWriter)"/>
    /// <param name="paths">A recording's folder, or files that belong together.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Where it goes.</param>
    /// <param name="detail">Adds a table of processor time and waiting for people; programs always get its values.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    public static AnalysisResult PrintTable(IReadOnlyList<string> paths, ReportFormat format, TextWriter output, bool detail = false, PdbFiles? pdbs = null)
    {
        if (StoredRuns.Open(paths) is { } stored)
        {
            var table = ReportBuilder.Table(stored.Input, stored.WithFindings, detail);
            Write(table with { Closing = [.. table.Closing, .. stored.TableNotes] }, format, output);
            return stored.WithFindings;
        }

        var input = TraceInputReader.Open(paths);
        var files = Symbols(input, pdbs);
        var read = FindingAnalysis.Run(input, Problems(input), files);
        var result = WithPdbProblems(read.Result, files);
        Write(ReportBuilder.Table(input, result, detail, read.FirstCalls), format, output);
        return result;
    }

    /// <summary>Reads recordings or trace files and prints one row a run.</summary>
    /// <inheritdoc cref="PrintTable(IReadOnlyList{string}, ReportFormat, TextWriter, bool, PdbFiles)"/>
    public static AnalysisResult PrintRuns(IReadOnlyList<string> paths, ReportFormat format, TextWriter output, bool detail = false, PdbFiles? pdbs = null) =>
        Print(paths, format, output, pdbs, (input, result) => ReportBuilder.Runs(input, result, detail));

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
        var input = OpenWithSamples(paths);
        var files = Symbols(input, pdbs);
        var samples = new CpuReading(query, files);
        var result = RunAnalysis.Run(input.Processes, Problems(input), files, samples, causes: false, recordings: input.Recordings);
        var report = ReportBuilder.Cpu(input, result, samples.Result());
        Write(report, format, output);
        return report.Result;
    }

    /// <summary>Reads a recording with CPU samples and prints what the time of each serializer was spent on.</summary>
    /// <inheritdoc cref="PrintCpu"/>
    public static AnalysisResult PrintCauses(IReadOnlyList<string> paths, CausesQuery query, ReportFormat format, TextWriter output, PdbFiles? pdbs = null)
    {
        Report report;
        if (StoredRuns.Open(paths) is { } stored)
        {
            if (stored.Result.Runs.All(run => run.Causes is null))
                throw new TraceFormatException(paths[0], null, "traces with CPU samples", "they have none", "choose others behind the '#', or record with the perf session (esp-record --sessions clr,code,perf, which is its default) and extract again");
            report = CausesReport.Build(stored.Input, stored.Result, query, []);
            report = report with { Closing = [.. report.Closing, .. stored.Notes] };
        }
        else
        {
            var input = OpenWithSamples(paths);
            var files = Symbols(input, pdbs);
            report = CausesReport.Build(input, RunAnalysis.Run(input.Processes, Problems(input), files, recordings: input.Recordings), query, files.Problems);
        }

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

    /// <summary>Reads an .etl trace and prints decoded events as they come.</summary>
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

    private static AnalysisResult Print(IReadOnlyList<string> paths, ReportFormat format, TextWriter output, PdbFiles? pdbs, Func<TraceInput, AnalysisResult, Report> build)
    {
        if (StoredRuns.Open(paths) is { } stored)
        {
            var report = build(stored.Input, stored.Result);
            Write(report with { Closing = [.. report.Closing, .. stored.Notes] }, format, output);
            return stored.Result;
        }

        var input = TraceInputReader.Open(paths);
        var files = Symbols(input, pdbs);
        var result = WithPdbProblems(RunAnalysis.Run(input.Processes, Problems(input), files, recordings: input.Recordings), files);
        Write(build(input, result), format, output);
        return result;
    }

    /// <summary>Adds what is to be known about PDB files, if there were to be some.</summary>
    internal static AnalysisResult WithPdbProblems(AnalysisResult result, SymbolFiles files) =>
        result with { Findings = [.. result.Findings, .. files.PdbProblems.Select(problem => new Finding(FindingKind.Hint, "symbols", problem))] };

    /// <summary>Symbols of what was opened: those of each recording by its label.</summary>
    internal static SymbolFiles Symbols(TraceInput input, PdbFiles? pdbs) => SymbolFiles.Of(input, pdbs);

    /// <summary>Opens a recording that has CPU samples.</summary>
    /// <exception cref="TraceFormatException">It has none.</exception>
    internal static TraceInput OpenWithSamples(IReadOnlyList<string> paths)
    {
        var input = TraceInputReader.Open(paths);
        return CpuAnalysis.HasSamples(input.Processes) ? input : throw NoSamples(paths[0], input);
    }

    private static TraceFormatException NoSamples(string path, TraceInput input)
    {
        var (found, toDo) = WhyNoSamples(input);
        return new TraceFormatException(path, null, "a recording with CPU samples (perf.data)", found, toDo);
    }

    private static (string Found, string ToDo) WhyNoSamples(TraceInput input) =>
        input.Recordings.Any(recording => recording.Description.PlannedSessions.Any(session => session.Name == "sample"))
            ? ("it was recorded with --sampler eventpipe: its samples are wall time, not CPU time, and this version does not read them", "open sample.nettrace with PerfView or TraceEvent, or record again without --sampler")
        : input.Recordings.Select(recording => recording.Description.Kernel).FirstOrDefault(kernel => kernel is { Error.Length: > 0 }) is { } kernel ? ($"the kernel session {kernel.Error.TrimEnd('.')}", "see what 'esp-record doctor' says of perf events, then record again")
        : input.Processes.Any(process => process.Sources.Any(source => source is EtwSource)) ? ("it has none", "record CPU samples of the kernel (Profile) with their stacks, too")
        : input.Recordings.Count == 0 ? ("it has none", "name the folder of a recording made on Linux with the perf session (esp-record does so unless --sessions leaves it out)")
        : ("it has none", "record again on Linux with the perf session (esp-record --sessions clr,code,perf, which is its default)");

    /// <summary>What the recording says is missing from it, and what could not be opened.</summary>
    internal static IReadOnlyList<string> Problems(TraceInput input) => input.Missing();
}
