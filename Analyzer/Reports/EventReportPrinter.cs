using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports;

/// <summary>Prints reports on events.</summary>
public static class EventReportPrinter
{
    /// <summary>Prints the allocations of the runs.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintAllocations(
        IReadOnlyList<string> paths,
        EventQuery query,
        AllocationGrouping grouping,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) =>
                EventReports.Allocations(input, result, AllocationAnalysis.Run(input.Processes, result.Runs, query, grouping, files))
        );

    /// <summary>Prints the exceptions thrown.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintExceptions(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null,
        ExceptionGrouping grouping = ExceptionGrouping.Method,
        int? stacks = null
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) =>
                EventReports.Exceptions(
                    input,
                    result,
                    ExceptionAnalysis.Run(input.Processes, result.Runs, query, files, input.Recordings, grouping),
                    stacks
                )
        );

    /// <summary>Prints waits for locks.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintLocks(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null,
        LockGrouping grouping = LockGrouping.Lock
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) =>
                EventReports.Locks(input, result, LockAnalysis.Run(input.Processes, result.Runs, query, files, grouping))
        );

    /// <summary>Prints the compilations.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintCompilations(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) => EventReports.Compilations(input, result, JitAnalysis.Run(input.Processes, result.Runs, query, files))
        );

    /// <summary>Prints waits of threads.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintWaits(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null,
        WaitGrouping grouping = WaitGrouping.Method
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) =>
                EventReports.Waits(input, result, WaitAnalysis.Run(input.Processes, result.Runs, query, files, grouping))
        );

    /// <summary>Prints the HTTP requests.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintRequests(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) => EventReports.Requests(input, result, RequestAnalysis.Run(input.Processes, result.Runs, query, files))
        );

    /// <summary>Prints the GCs.</summary>
    /// <inheritdoc cref="Print"/>
    public static AnalysisResult PrintGcs(
        IReadOnlyList<string> paths,
        EventQuery query,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null,
        GcGrouping grouping = GcGrouping.Gc
    ) =>
        Print(
            paths,
            format,
            output,
            pdbs,
            (input, result, files) => EventReports.Gcs(input, result, GcAnalysis.Run(input.Processes, result.Runs, query, files, grouping))
        );

    /// <summary>Reads a recording, analyzes its runs and prints a report.</summary>
    /// <param name="paths">A recording's folder, or the files of one recording.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="pdbs">PDB files for Windows traces; null for none.</param>
    /// <param name="build">Builds the report.</param>
    /// <returns>The analysis result, including findings.</returns>
    /// <exception cref="TraceFormatException">Nothing is readable, or the events were not recorded.</exception>
    /// <exception cref="Analysis.Cpu.NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    private static AnalysisResult Print(
        IReadOnlyList<string> paths,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs,
        Func<TraceInput, AnalysisResult, SymbolFiles, Report> build
    )
    {
        var input = TraceInputReader.Open(paths);
        var files = SymbolFiles.Of(input, pdbs);
        var result = RunAnalysis.Run(
            input.Processes,
            input.Missing(),
            new SymbolReading(files),
            causes: false,
            recordings: input.Recordings
        );
        Report report;
        try
        {
            report = build(input, result, files);
        }
        catch (NotRecordedException exception)
        {
            throw new TraceFormatException(
                paths[0],
                null,
                $"a recording with {exception.Expected}",
                "the recording has none",
                exception.Advice
            );
        }

        report = report with { Result = TraceRuns.WithPdbProblems(report.Result, files) };
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }
}
