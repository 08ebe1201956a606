using System.CommandLine;
using System.Reflection;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Comparison;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Shared by the recording commands: signals, progress, table, exit code.</summary>
internal static class RecordingAction
{
    /// <summary>Version for recording.json.</summary>
    public static string ToolVersion { get; } =
        typeof(RecordingAction).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
        ?? "";

    /// <summary>Records until the recording ends by itself or the user ends it with Ctrl+C, SIGTERM or SIGHUP.</summary>
    public static async Task<RecordingResult> RecordAsync(
        ParseResult parsed,
        Func<IProgress<RecordingProgress>, InterruptSignals, Task<RecordingResult>> record,
        CancellationToken cancellation
    )
    {
        using var signals = new InterruptSignals(cancellation);
        return await RecordAsync(parsed, progress => record(progress, signals), label: "").ConfigureAwait(false);
    }

    /// <summary>Records and shows the progress.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="record">Records.</param>
    /// <param name="label">Name of the recording; empty when there is only one.</param>
    public static async Task<RecordingResult> RecordAsync(
        ParseResult parsed,
        Func<IProgress<RecordingProgress>, Task<RecordingResult>> record,
        string label
    )
    {
        var progress = Progress(parsed, label);
        try
        {
            return await record(progress).ConfigureAwait(false);
        }
        finally
        {
            progress.Clear();
        }
    }

    /// <summary>Creates the progress line.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="label">Name of the recording; empty when there is only one.</param>
    public static ProgressLine Progress(ParseResult parsed, string label) =>
        new(Verbosity.IsQuiet(parsed) ? TextWriter.Null : parsed.InvocationConfiguration.Error, Terminal.IsErrorTerminal, label);

    /// <summary>Prints the table and the losses, writes report.html, and names it last.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="result">The recording.</param>
    /// <param name="options">The options that say what to print and write.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ReportAsync(ParseResult parsed, RecordingResult result, RecordingOptionSet options)
    {
        var exitCode = ExitCode.Done;
        string? written = null;
        if (result.Recording.Processes.Count > 0 || (result.Recording.HasCpuSamples && !result.IsRemoved))
            (exitCode, written) = await AnalyzeAsync(parsed, result.Folder, options).ConfigureAwait(false);
        if (result.Recording.Processes.Count == 0)
            exitCode = ExitCode.NotPossible;
        else if (result.Recording.Etw is { File.Length: 0 })
            exitCode = ExitCode.Failed; // its files were not merged; the losses below say why

        foreach (
            var loss in (IEnumerable<string>)[.. result.Recording.Losses, .. result.Outcome.Length > 0 ? [result.Outcome] : (string[])[]]
        )
            parsed.Messages().Loss(loss);
        if (result.CouldNotWrite)
            exitCode = parsed.Fail(NotWritten(result.Folder), ExitCode.Failed);
        if (!result.Recording.EndedByUser && result.ExitCode is not 0 and { } code)
            exitCode = parsed.Fail(ProgramFailed(code, result), ExitCode.Failed);
        await NamePageAsync(parsed, written, options.Format(parsed)).ConfigureAwait(false);
        return exitCode;
    }

    /// <summary>Reads a recording once for its table and its report.</summary>
    /// <returns>The exit code and the report's file; null when there is none.</returns>
    private static async Task<(int ExitCode, string? Page)> AnalyzeAsync(ParseResult parsed, string folder, RecordingOptionSet options)
    {
        if (!options.IsAnalyzed(parsed))
            return (ExitCode.Done, null);
        var (source, format) = (new TraceRuns([folder]) { Keep = options.Kept(parsed) }, options.Format(parsed));
        try
        {
            if (!options.HasPage(parsed))
            {
                Verbosity.Watch(parsed, output => ReportPrinter.PrintFirstScreen(source, format, output));
                return (ExitCode.Done, null);
            }

            var file = Path.Combine(folder, HtmlReportPrinter.FileName);
            if (Verbosity.Watch(parsed, output => HtmlReportPrinter.PrintTableAndWrite(source, format, output, file)) is not { } problem)
                return (ExitCode.Done, file);
            parsed.Messages().Loss($"{HtmlReportPrinter.FileName} was not written: {problem}");
            return (ExitCode.Done, null);
        }
        catch (TraceFormatException exception)
        {
            return (parsed.Fail(exception.Problem, ExitCode.Unreadable), null);
        }
    }

    /// <summary>Explains the difference of two runtimes below their table.</summary>
    private static void Compare(ParseResult parsed, string folder, RecordingOptionSet options)
    {
        if (
            !options.IsAnalyzed(parsed)
            || options.Format(parsed) != ReportFormat.Table
            || RecordingSets.Pair(folder) is not { Count: 2 } sides
        )
            return;
        try
        {
            Verbosity.Watch(
                parsed,
                output =>
                {
                    output.WriteLine();
                    return ComparisonPrinter.PrintDiff(
                        [.. sides.Select(side => new TraceRuns([side]))],
                        DiffQuery.OfRuntimes,
                        ReportFormat.Table,
                        output
                    );
                }
            );
            parsed.InvocationConfiguration.Output.WriteLine($"More: esp-analyze diff {folder}");
        }
        catch (NotComparableException)
        {
            // Nothing was measured on both sides, as the table shows.
        }
    }

    /// <summary>Prints the report's path as the last line; on the error stream when a program reads the output.</summary>
    private static async Task NamePageAsync(ParseResult parsed, string? page, ReportFormat format)
    {
        if (page is null)
            return;
        await (format != ReportFormat.Table ? parsed.InvocationConfiguration.Error : parsed.InvocationConfiguration.Output)
            .WriteLineAsync($"Report: {page}")
            .ConfigureAwait(false);
    }

    /// <summary>Prints one table for all recordings of a series, and the losses.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="series">The recordings.</param>
    /// <param name="options">The options that say what to print and write.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ReportAsync(ParseResult parsed, SeriesResult series, RecordingOptionSet options)
    {
        var exitCode =
            series.Index.Problems.Count > 0 || series.Results.Any(result => result.Recording.Processes.Count == 0)
                ? ExitCode.NotPossible
                : ExitCode.Done;
        string? written = null;
        if (series.Results.Any(result => result.Recording.Processes.Count > 0))
        {
            (var read, written) = await AnalyzeAsync(parsed, series.Folder, options).ConfigureAwait(false);
            if (read == ExitCode.Done)
                Compare(parsed, series.Folder, options);
            else
                exitCode = read;
        }

        foreach (var problem in series.Failures)
            parsed.Messages().Error(problem);
        foreach (var (recorded, result) in series.Index.Recordings.Zip(series.Results))
        {
            foreach (var loss in result.Recording.Losses)
                parsed.Messages().Loss($"{recorded.Label}: {loss}");
            if (result.CouldNotWrite)
                exitCode = parsed.Fail(NotWritten(result.Folder), ExitCode.Failed);
            if (!result.Recording.EndedByUser && result.ExitCode is not 0 and { } code)
                exitCode = parsed.Fail(ProgramFailed(code, result), ExitCode.Failed);
        }

        if (series.Interrupted)
            exitCode = parsed.Fail(
                series.Results.Count == 0
                    ? new Problem("interrupted before anything was recorded", series.Folder, "record again, and wait for the end")
                    : new Problem(
                        "interrupted; the recording up to this point is kept",
                        series.Folder,
                        $"read it with esp-analyze {series.Folder}"
                    ),
                ExitCode.Interrupted
            );
        await NamePageAsync(parsed, written, options.Format(parsed)).ConfigureAwait(false);
        return exitCode;
    }

    /// <summary>Prints the tool's hints and errors.</summary>
    public static ToolMessages Messages(this ParseResult parsed) => new(EspRecord.ToolName, parsed.InvocationConfiguration.Error);

    /// <summary>Prints a problem.</summary>
    /// <returns>The exit code.</returns>
    public static int Fail(this ParseResult parsed, Problem problem, int exitCode)
    {
        parsed.Messages().Error(problem);
        return exitCode;
    }

    /// <summary>Prints an exception as a problem.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="exception">The exception.</param>
    /// <param name="where">Location for exceptions that do not have one.</param>
    /// <param name="exitCode">The exit code.</param>
    /// <returns>The exit code.</returns>
    public static int Fail(this ParseResult parsed, Exception exception, string where, int exitCode) =>
        parsed.Fail(
            SystemProblem.Of(exception, where, "check this machine with 'esp-record doctor', or record to another folder with --out"),
            exitCode
        );

    private static Problem NotWritten(string folder) =>
        new(
            "the recording lost data: one of its files could not be written completely",
            folder,
            "free disk space, or record to another disk with --out; the part written so far can be read"
        );

    private static Problem ProgramFailed(int code, RecordingResult result) =>
        new(
            $"the recorded program ended with exit code {code}",
            result.Folder,
            $"see the program's own output{(result.IsRemoved ? "" : "; the recording is kept and can be read")}"
        );
}
