using System.Reflection;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>What the commands that record have in common: signals, progress, the table, the exit code.</summary>
internal static class RecordingAction
{
    /// <summary>Version for recording.json.</summary>
    public static string ToolVersion { get; } = typeof(RecordingAction).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "";

    /// <summary>Records until it ends by itself or the user ends it with Ctrl+C or SIGTERM.</summary>
    public static async Task<RecordingResult> RecordAsync(Func<IProgress<RecordingProgress>, CancellationToken, Task<RecordingResult>> record, CancellationToken cancellation)
    {
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        void Interrupt(PosixSignalContext context)
        {
            context.Cancel = true; // the recording ends in order
            interrupt.Cancel();
        }

        using var interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
        var progress = new ProgressLine(Console.Error, terminal: !Console.IsErrorRedirected);
        try
        {
            return await record(progress, interrupt.Token).ConfigureAwait(false);
        }
        finally
        {
            progress.Clear();
        }
    }

    /// <summary>Prints the table and what is missing.</summary>
    /// <returns>The exit code.</returns>
    public static async Task<int> ReportAsync(RecordingResult result, ReportFormat format, bool analyze)
    {
        var exitCode = ExitCode.Done;
        if (result.Recording.Processes.Count == 0)
        {
            exitCode = ExitCode.NotPossible;
        }
        else if (analyze)
        {
            try
            {
                ReportPrinter.PrintTable(result.Folder, format, Console.Out);
            }
            catch (TraceFormatException exception)
            {
                exitCode = await FailAsync(exception.Message, ExitCode.Unreadable).ConfigureAwait(false);
            }
        }

        foreach (var loss in result.Recording.Losses)
            await Console.Error.WriteLineAsync($"esp-record: {loss}").ConfigureAwait(false);
        if (result.Interrupted)
            return await FailAsync($"interrupted; the partial recording is in {result.Folder}", ExitCode.Interrupted).ConfigureAwait(false);
        if (result.ExitCode is not 0 and { } code)
            return await FailAsync($"the recorded program ended with exit code {code}; the recording is in {result.Folder}", ExitCode.Failed).ConfigureAwait(false);
        return exitCode;
    }

    /// <summary>Says what went wrong.</summary>
    /// <returns>The exit code.</returns>
    public static async Task<int> FailAsync(string message, int exitCode)
    {
        await Console.Error.WriteLineAsync($"esp-record: {message}").ConfigureAwait(false);
        return exitCode;
    }
}
