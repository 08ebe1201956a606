using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Prints what <c>--dry-run</c> would do.</summary>
internal static class PlanPrinter
{
    /// <summary>Prints command, folder and sessions.</summary>
    public static async Task PrintAsync(RecordOptions options, TextWriter output)
    {
        await output.WriteLineAsync($"command: {CommandLineText.Join(options.Command)}").ConfigureAwait(false);
        await output.WriteLineAsync($"folder:  {options.Folder}").ConfigureAwait(false);
        if (options.Mode.IsCircular)
            await output.WriteLineAsync($"mode:    {options.Mode}, the newest events in memory{(options.TriggerFile is { } file ? $", snapshots when {file} appears" : "")}").ConfigureAwait(false);
        foreach (var variable in options.Variables)
            await output.WriteLineAsync($"set:     {variable.Name}={variable.Value}{(variable.SetByUser ? " by you, left as it is" : "")} ({variable.Purpose})").ConfigureAwait(false);
        foreach (var session in options.Sessions)
        {
            await output.WriteLineAsync($"session {session.Name}: {session.Purpose} ({session.BufferMegabytes} MB buffer{(session.Rundown ? ", rundown" : "")})").ConfigureAwait(false);
            foreach (var provider in session.Providers)
                await output.WriteLineAsync($"  {provider.Name}:{provider.Keywords}:{provider.Level}").ConfigureAwait(false);
        }

        if (options.Kernel is not { } kernel)
            return;
        var scope = kernel.Scope == PerfEventScope.SystemWide ? "all processes" : "the process tree";
        await output.WriteLineAsync($"session perf: kernel events of {scope} ({kernel.RingBytes >> 10} KiB ring a CPU, {(kernel.TakesSamples ? $"{kernel.SampleRateHz} samples/s" : "no samples")})").ConfigureAwait(false);
        foreach (var item in kernel.Events)
            await output.WriteLineAsync($"  {item.Name}: {item.Purpose}").ConfigureAwait(false);
        foreach (var note in kernel.Notes)
            await output.WriteLineAsync($"  without: {note}").ConfigureAwait(false);
    }
}
