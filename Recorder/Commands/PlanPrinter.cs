using EtwSerializerProfiler.Sessions;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Prints what a command would do without <c>--dry-run</c>.</summary>
internal static class PlanPrinter
{
    /// <summary>Prints how the suite is built for a runtime.</summary>
    /// <param name="build">The build.</param>
    /// <param name="current">Whether the build is up to date.</param>
    /// <param name="output">Receives the text.</param>
    public static async Task PrintAsync(PublishPlan build, bool current, TextWriter output)
    {
        await output.WriteLineAsync($"runtime: {build.Label} ({build.Reason})").ConfigureAwait(false);
        if (build.Command.Count > 0)
            await output
                .WriteLineAsync($"publish: {(current ? "done before, sources unchanged: " : "")}{CommandLineText.Join(build.Command)}")
                .ConfigureAwait(false);
        if (build.FacadesFolder.Length > 0)
            await output.WriteLineAsync($"facades: {build.FacadesFolder} (generated from the reference assemblies)").ConfigureAwait(false);
        foreach (var (name, value) in build.Environment)
            await output
                .WriteLineAsync($"set:     {name}={value} (so that the host finds the requested runtime and stays on it)")
                .ConfigureAwait(false);
    }

    /// <summary>Prints command, folder, dumps and sessions.</summary>
    /// <param name="options">What would be recorded.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="attached">Whether the process is already running.</param>
    public static async Task PrintAsync(RecordOptions options, TextWriter output, bool attached = false)
    {
        await output.WriteLineAsync($"command: {CommandLineText.Join(options.ShownCommand)}").ConfigureAwait(false);
        await output.WriteLineAsync($"folder:  {options.Folder}").ConfigureAwait(false);
        if (options.WorkingDirectory != Environment.CurrentDirectory && !attached)
            await output.WriteLineAsync($"in:      {options.WorkingDirectory}").ConfigureAwait(false);
        if (options.Configuration is { } configuration)
            await output.WriteLineAsync($"config:  {configuration}").ConfigureAwait(false);
        if (options.Mode.IsCircular)
            await output
                .WriteLineAsync(
                    $"mode:    {options.Mode}, the newest events {(options.Mode.IsOnDisk ? "on disk" : "in memory")}{(options.TriggerFile is { } file ? $", snapshots when {file} appears" : "")}"
                )
                .ConfigureAwait(false);
        foreach (var variable in options.ShownVariables)
            await output
                .WriteLineAsync(
                    $"set:     {variable.Name}={variable.Value}{(variable.SetByUser ? " by you, left as it is" : "")} ({variable.Purpose})"
                )
                .ConfigureAwait(false);
        foreach (var line in options.Dumps.Describe(attached))
            await output.WriteLineAsync(line).ConfigureAwait(false);
        foreach (var session in options.Sessions)
        {
            await output
                .WriteLineAsync(
                    $"session {session.Name}: {session.Purpose} ({session.BufferMegabytes} MB buffer{(session.Rundown ? ", rundown" : "")}{(session.RuntimesBefore is { } before ? $", runtimes before .NET {before} only" : "")}{(session.RuntimesFrom is { } from ? $", runtimes from .NET {from} only" : "")})"
                )
                .ConfigureAwait(false);
            foreach (var provider in session.Providers)
                await output.WriteLineAsync($"  {provider.Name}:{provider.Keywords}:{provider.Level}").ConfigureAwait(false);
        }

        if (options.Kernel is not { } kernel)
            return;
        var scope = kernel.IsSystemWide ? "all processes" : "the process tree";
        var source = kernel is PerfEventPlan perf ? $"{perf.RingBytes >> 10} KiB ring per CPU" : "by ptrace";
        await output
            .WriteLineAsync(
                kernel.Sampler == CpuSampler.EventPipe
                    ? "session perf: clocks of the recorded processes' threads"
                    : $"session perf: kernel events of {scope} ({source}, {(kernel.TakesSamples ? $"{kernel.SampleRateHz} samples/s" : "no samples")})"
            )
            .ConfigureAwait(false);
        foreach (var item in kernel.Events)
            await output.WriteLineAsync($"  {item.Name}: {item.Purpose}").ConfigureAwait(false);
        foreach (var note in kernel.Notes)
            await output.WriteLineAsync($"  without: {note}").ConfigureAwait(false);
    }
}
