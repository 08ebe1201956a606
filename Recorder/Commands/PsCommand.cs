using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record ps</c>: the .NET processes that can be attached to.</summary>
internal sealed class PsCommand : Command
{
    public PsCommand()
        : base("ps", "Lists the .NET processes you can attach to: process id, name, runtime, command line.")
    {
        this.WithExamples(
            ("esp-record ps", "Which .NET processes run here, and on which runtime?"),
            ("TMPDIR=/var/tmp esp-record ps", "List processes that use another temporary folder.")
        );
        SetAction((parsed, _) => RunAsync(parsed.InvocationConfiguration.Output));
    }

    private static async Task<int> RunAsync(TextWriter output)
    {
        var processes = await RunningProcesses.FindAllAsync(new RecordLimits().Answer).ConfigureAwait(false);
        var (id, name, runtime) = (
            Width("PID", process => $"{process.ProcessId}"),
            Width("Name", process => process.Name),
            Width("Runtime", process => process.Runtime)
        );
        if (processes.Count == 0)
        {
            var none = $"no .NET process of this user has a diagnostic port in {RunningProcesses.PortFolder}";
            await output.WriteLineAsync(none).ConfigureAwait(false);
        }
        else
        {
            await output
                .WriteLineAsync($"{"PID".PadLeft(id)}  {"Name".PadRight(name)}  {"Runtime".PadRight(runtime)}  Command line")
                .ConfigureAwait(false);
        }

        foreach (var process in processes)
            await output
                .WriteLineAsync(
                    $"{$"{process.ProcessId}".PadLeft(id)}  {process.Name.PadRight(name)}  {process.Runtime.PadRight(runtime)}  {string.Join(' ', process.Command)}"
                )
                .ConfigureAwait(false);
        return ExitCode.Done;

        int Width(string title, Func<RunningProcess, string> text) =>
            processes.Select(process => text(process).Length).Append(title.Length).Max();
    }
}
