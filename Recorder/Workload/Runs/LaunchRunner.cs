using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Options;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>
/// Repeats a benchmark in several processes. Profiles of the code, memory layout and state of the machine differ between processes; only
/// several of them show how much the times differ for these reasons.
/// </summary>
/// <param name="processes">Starts the processes.</param>
/// <param name="console">Receives errors.</param>
/// <param name="stop">Requests to end.</param>
public sealed class LaunchRunner(ChildProcess processes, SuiteConsole console, CancellationToken stop)
{
    /// <summary>Time limit for the current run of a process that was asked to end; all earlier runs are on disk.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);

    /// <summary>Starts one process after the other.</summary>
    /// <param name="options">Options of each process.</param>
    /// <param name="ownArguments">Arguments other than the suite's options: files to write.</param>
    /// <returns>The highest exit code; no process starts after an interruption.</returns>
    public int Run(SuiteOptions options, IReadOnlyList<string> ownArguments)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(ownArguments);
        var worst = 0;
        for (var launch = 1; launch <= options.LaunchCount && !stop.IsCancellationRequested; launch++)
        {
            try
            {
                worst = Math.Max(
                    worst,
                    RunOne(
                        options.OfLaunch(launch),
                        [.. ownArguments, WorkloadOptionSet.LaunchName, launch.ToString(CultureInfo.InvariantCulture)]
                    )
                );
            }
            catch (Win32Exception exception)
            {
                console.Error($"launch {launch}: {exception.Message}");
                return Math.Max(worst, 1);
            }
        }

        return worst;
    }

    private int RunOne(SuiteOptions options, IReadOnlyList<string> ownArguments)
    {
        var start = processes.StartInfo([.. options.ToArguments(), .. ownArguments]);
        start.RedirectStandardOutput = start.RedirectStandardError = false;
        using var process = Process.Start(start) ?? throw new Win32Exception($"{start.FileName} was not started");
        using var ended = new ManualResetEventSlim();
        process.EnableRaisingEvents = true;
        process.Exited += (_, _) => ended.Set();
        if (process.HasExited)
            ended.Set();
        if (WaitHandle.WaitAny([ended.WaitHandle, stop.WaitHandle]) == 1 && !ended.Wait(s_grace))
            process.Kill(entireProcessTree: true);
        process.WaitForExit();
        return process.ExitCode;
    }
}
