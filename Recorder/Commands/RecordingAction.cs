using System.CommandLine;
using System.Reflection;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>What the commands that record have in common: signals, progress, the table, the exit code.</summary>
internal static class RecordingAction
{
    /// <summary>Version for recording.json.</summary>
    public static string ToolVersion { get; } = typeof(RecordingAction).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "";

    /// <summary>Records until it ends by itself or the user ends it with Ctrl+C, SIGTERM or SIGHUP.</summary>
    public static async Task<RecordingResult> RecordAsync(ParseResult parsed, Func<IProgress<RecordingProgress>, InterruptSignals, Task<RecordingResult>> record, CancellationToken cancellation)
    {
        using var signals = new InterruptSignals(cancellation);
        return await RecordAsync(parsed, progress => record(progress, signals), label: "").ConfigureAwait(false);
    }

    /// <summary>Records and shows how far it is.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="record">Records.</param>
    /// <param name="label">What is recorded, empty when there is one thing only.</param>
    public static async Task<RecordingResult> RecordAsync(ParseResult parsed, Func<IProgress<RecordingProgress>, Task<RecordingResult>> record, string label)
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

    /// <summary>The line that shows how far a recording is.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="label">What is recorded, empty when there is one thing only.</param>
    public static ProgressLine Progress(ParseResult parsed, string label) => new(Verbosity.IsQuiet(parsed) ? TextWriter.Null : parsed.InvocationConfiguration.Error, Terminal.IsErrorTerminal, label);

    /// <summary>Prints the table and what is missing, writes the page; names it last.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="result">What was recorded.</param>
    /// <param name="options">What is wanted of it.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ReportAsync(ParseResult parsed, RecordingResult result, RecordingOptionSet options)
    {
        var exitCode = ExitCode.Done;
        string? written = null;
        if (result.Recording.Processes.Count == 0)
        {
            exitCode = ExitCode.NotPossible;
        }
        else
        {
            (exitCode, written) = await AnalyzeAsync(parsed, result.Folder, options).ConfigureAwait(false);
        }

        foreach (var loss in (IEnumerable<string>)[.. result.Recording.Losses, .. result.Outcome.Length > 0 ? [result.Outcome] : (string[])[]])
            parsed.Messages().Loss(loss);
        if (result.CouldNotWrite)
            exitCode = parsed.Fail(NotWritten(result.Folder), ExitCode.Failed);
        if (!result.Recording.EndedByUser && result.ExitCode is not 0 and { } code)
            exitCode = parsed.Fail(ProgramFailed(code, result), ExitCode.Failed);
        await NamePageAsync(parsed, written, options.Format(parsed)).ConfigureAwait(false);
        return exitCode;
    }

    /// <summary>Reads a recording once, for its table and its page.</summary>
    /// <returns>The exit code, and the page's file; null when there is none.</returns>
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

    /// <summary>The last line names the page; on the error stream where a program reads the output.</summary>
    private static async Task NamePageAsync(ParseResult parsed, string? page, ReportFormat format)
    {
        if (page is null)
            return;
        await (format != ReportFormat.Table ? parsed.InvocationConfiguration.Error : parsed.InvocationConfiguration.Output).WriteLineAsync($"Report: {page}").ConfigureAwait(false);
    }

    /// <summary>Prints the table over all recordings of a series and what is missing.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="series">The recordings.</param>
    /// <param name="options">What is wanted of it.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ReportAsync(ParseResult parsed, SeriesResult series, RecordingOptionSet options)
    {
        var exitCode = series.Index.Problems.Count > 0 || series.Results.Any(result => result.Recording.Processes.Count == 0) ? ExitCode.NotPossible : ExitCode.Done;
        string? written = null;
        if (series.Results.Any(result => result.Recording.Processes.Count > 0))
        {
            (var read, written) = await AnalyzeAsync(parsed, series.Folder, options).ConfigureAwait(false);
            if (read != ExitCode.Done)
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
            exitCode = parsed.Fail(series.Results.Count == 0 ? new Problem("interrupted before anything was recorded", series.Folder, "record again, and wait for the end") : new Problem("interrupted; what was recorded is kept", series.Folder, $"look at what there is: esp-analyze {series.Folder}"), ExitCode.Interrupted);
        await NamePageAsync(parsed, written, options.Format(parsed)).ConfigureAwait(false);
        return exitCode;
    }

    /// <summary>What the tool says beside its output.</summary>
    public static ToolMessages Messages(this ParseResult parsed) => new(EspRecord.ToolName, parsed.InvocationConfiguration.Error);

    /// <summary>Says what went wrong.</summary>
    /// <returns>The exit code.</returns>
    public static int Fail(this ParseResult parsed, Problem problem, int exitCode)
    {
        parsed.Messages().Error(problem);
        return exitCode;
    }

    /// <summary>Says what went wrong.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="exception">What was thrown.</param>
    /// <param name="where">What was being done, for exceptions that do not say it.</param>
    /// <param name="exitCode">The exit code.</param>
    /// <returns>The exit code.</returns>
    public static int Fail(this ParseResult parsed, Exception exception, string where, int exitCode) =>
        parsed.Fail(SystemProblem.Of(exception, where, "see what this machine allows with 'esp-record doctor', or record to another folder with --out"), exitCode);

    private static Problem NotWritten(string folder) =>
        new("the recording lost data: a file of it could not be written to its end", folder, "make room, or record to another disk with --out; what was written until then can be read");

    private static Problem ProgramFailed(int code, RecordingResult result) =>
        new($"the recorded program ended with exit code {code}", result.Folder, $"see what the program printed{(result.IsRemoved ? "" : "; the recording is kept and can be read")}");
}
