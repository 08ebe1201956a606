using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Prints what <c>--dry-run</c> would do.</summary>
internal static class PlanPrinter
{
    /// <summary>Prints command, folder and sessions.</summary>
    public static async Task PrintAsync(RecordOptions options, TextWriter output)
    {
        await output.WriteLineAsync($"command: {CommandLines.Join(options.Command)}").ConfigureAwait(false);
        await output.WriteLineAsync($"folder:  {options.Folder}").ConfigureAwait(false);
        foreach (var session in options.Sessions)
        {
            await output.WriteLineAsync($"session {session.Name}: {session.Purpose} ({session.BufferMegabytes} MB buffer{(session.Rundown ? ", rundown" : "")})").ConfigureAwait(false);
            foreach (var provider in session.Providers)
                await output.WriteLineAsync($"  {provider.Name}:{provider.Keywords}:{provider.Level}").ConfigureAwait(false);
        }
    }
}
