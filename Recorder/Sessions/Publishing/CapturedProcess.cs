using System.ComponentModel;
using System.Diagnostics;

namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Runs a tool until it ends and captures its output.</summary>
/// <param name="ExitCode">Its exit code; null when it exceeded the time limit and was killed.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
internal sealed record CapturedProcess(int? ExitCode, string Output, string Error)
{
    /// <summary>Time limit for the last bytes of a tool that has ended: a process it left behind may keep its pipes open.</summary>
    private static readonly TimeSpan s_drainLimit = TimeSpan.FromSeconds(5);

    /// <summary>Runs a command.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="workingDirectory">Working directory.</param>
    /// <param name="environment">Variables that differ from this process's own; a null value removes one.</param>
    /// <param name="limit">Time limit; then the tool is killed.</param>
    /// <param name="cancellation">Kills the tool early.</param>
    /// <returns>Null when the program does not exist.</returns>
    /// <exception cref="OperationCanceledException">The tool was killed early.</exception>
    public static async Task<CapturedProcess?> RunAsync(
        IReadOnlyList<string> command,
        string workingDirectory,
        IReadOnlyDictionary<string, string?> environment,
        TimeSpan limit,
        CancellationToken cancellation
    )
    {
        var start = new ProcessStartInfo(command[0], command.Skip(1))
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = workingDirectory,
        };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        Process process;
        try
        {
            process = Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            return null;
        }

        using (process)
        {
            process.StandardInput.Close(); // the tool must not wait for input
            var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
            var error = process.StandardError.ReadToEndAsync(CancellationToken.None);
            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            end.CancelAfter(limit);
            int? exitCode = null;
            try
            {
                await process.WaitForExitAsync(end.Token).ConfigureAwait(false);
                exitCode = process.ExitCode;
            }
            catch (OperationCanceledException)
            {
                process.Kill(entireProcessTree: true);
                cancellation.ThrowIfCancellationRequested();
            }

            await Task.WhenAny(Task.WhenAll(output, error), Task.Delay(s_drainLimit, cancellation)).ConfigureAwait(false);
            return new CapturedProcess(exitCode, TextOf(output), TextOf(error));
        }
    }

    private static string TextOf(Task<string> text) => text.IsCompletedSuccessfully ? text.Result : "";
}
