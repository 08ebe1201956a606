using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.Dumps;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>
/// Reads a dump in a separate process. The runtime's debugging library is native code that trusts the memory it reads: a damaged dump can
/// crash or hang it, and no exception handler helps. The next process skips the step in which the previous one ended, and the report says
/// so.
/// </summary>
internal static class DumpWatch
{
    /// <summary>Maximum number of processes; each one after the first skips one more step.</summary>
    private const int MaxProcesses = 20;

    /// <summary>Maximum number of steps that may hang.</summary>
    private const int MaxSilent = 3;

    /// <summary>Limits after which a step counts as hanging: processor time without progress, and time without processor time.</summary>
    private static readonly TimeSpan s_maxSilence = TimeSpan.FromSeconds(60),
        s_maxStandstill = TimeSpan.FromMinutes(5);

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Exit codes of the command itself.</summary>
    private static readonly int[] s_ownCodes =
    [
        ExitCode.Done,
        ExitCode.Usage,
        ExitCode.Unreadable,
        ExitCode.NotPossible,
        ExitCode.Interrupted,
    ];

    /// <summary>Reads in a separate process.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="here">Reads in this process; used when no process can be started.</param>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parsed, Func<int> here)
    {
        if (Program() is not { } program)
            return here();
        return Run(
            [.. parsed.Tokens.Select(token => token.Value)],
            program,
            parsed.InvocationConfiguration.Output,
            parsed.InvocationConfiguration.Error,
            parsed.GetValue<bool>(VerbosityOptions.Quiet)
        );
    }

    /// <summary>Reads in processes of a given program.</summary>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="program">Path of esp-analyze.</param>
    /// <param name="output">Receives the output of the processes.</param>
    /// <param name="error">Receives progress and errors.</param>
    /// <param name="isQuiet">Whether to show no progress.</param>
    /// <returns>The exit code.</returns>
    internal static int Run(string[] arguments, string program, TextWriter output, TextWriter error, bool isQuiet = false)
    {
        var folder = Directory.CreateTempSubdirectory("esp-dump-").FullName;
        try
        {
            return Run([.. arguments, WatchedSteps.Option, folder], program, folder, output, error, isQuiet);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static int Run(string[] arguments, string program, string folder, TextWriter output, TextWriter error, bool isQuiet)
    {
        var left = new Dictionary<string, string>(StringComparer.Ordinal);
        var silent = 0;
        while (true)
        {
            var (code, text, errors, isSilent) = Attempt(
                program,
                arguments,
                folder,
                isQuiet ? null : new DumpProgressLine(new StepLine(error, Terminal.IsErrorTerminal))
            );
            if (!isSilent && s_ownCodes.Contains(code))
            {
                output.Write(text);
                error.Write(errors);
                return code;
            }

            var step = StepOf(folder).Step;
            var reason = isSilent
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"reading made no progress in {s_maxSilence.TotalSeconds:0} s of processor time and was stopped"
                )
                : $"the runtime's debugging library crashed while reading it ({CodeName(code)}): the dump's memory or the library is damaged";
            if (
                step is "" or DumpAnalysis.Opening
                || left.Count >= MaxProcesses
                || (isSilent && ++silent >= MaxSilent)
                || !left.TryAdd(step, reason)
            )
            {
                new ToolMessages(RootCommandFactory.ToolName, error).Error(
                    new Problem(
                        $"the dump cannot be read: {(step.Length > 0 ? $"step '{step}': " : "")}{reason}{(errors.Length > 0 ? $"; the process said: {FirstLine(errors)}" : "")}",
                        string.Join(' ', arguments[..^2]),
                        "copy the dump again, or take another"
                    )
                );
                return ExitCode.Unreadable;
            }

            File.WriteAllLines(Path.Combine(folder, WatchedSteps.LeftFile), left.Select(item => $"{item.Key}\t{item.Value}"));
        }
    }

    private static (int Code, string Output, string Error, bool IsSilent) Attempt(
        string program,
        string[] arguments,
        string folder,
        DumpProgressLine? progress
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = System.Text.Encoding.UTF8,
            StandardErrorEncoding = System.Text.Encoding.UTF8,
        };
        start.Environment.TryAdd("DOTNET_ROOT", Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")));
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0"; // a crash of the reader is expected and needs no dump
        using var process = Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        var isInterrupted = false;
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        using var termination = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
        var (last, since, cpu, isSilent) = (("", ""), Stopwatch.StartNew(), TimeSpan.Zero, false);
        while (!process.WaitForExit(s_look))
        {
            var now = StepOf(folder);
            if (now != last)
                (last, since, cpu) = (now, Stopwatch.StartNew(), ProcessorTime(process));
            progress?.Show(now.Progress);
            if (since.Elapsed < s_maxSilence || (ProcessorTime(process) - cpu < s_maxSilence && since.Elapsed < s_maxStandstill))
                continue;
            process.Kill();
            isSilent = true;
        }

        progress?.End();
        process.WaitForExit();
        return (
            isInterrupted ? ExitCode.Interrupted : process.ExitCode,
            output.GetAwaiter().GetResult(),
            errors.GetAwaiter().GetResult(),
            isSilent && !isInterrupted
        );

        void Interrupt(PosixSignalContext context)
        {
            context.Cancel = true; // removes the folder first
            isInterrupted = true;
            process.Kill();
        }
    }

    private static TimeSpan ProcessorTime(Process process) =>
        OtherProcess.Read(process, running => running.TotalProcessorTime, TimeSpan.Zero);

    private static (string Step, string Progress) StepOf(string folder)
    {
        try
        {
            var path = Path.Combine(folder, WatchedSteps.StepFile);
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            using var reader = new StreamReader(file);
            return (reader.ReadLine() ?? "", reader.ReadLine() ?? "");
        }
        catch (IOException)
        {
            return ("", ""); // not started yet
        }
    }

    /// <summary>Path of esp-analyze beside this code; null when it is missing, as in a single-file build.</summary>
    private static string? Program()
    {
        var path = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "esp-analyze.exe" : "esp-analyze");
        return File.Exists(path) ? path : null;
    }

    private static string CodeName(int code) =>
        code switch
        {
            139 => "signal 11, segmentation fault",
            134 => "signal 6, abort",
            135 => "signal 7, bus error",
            -1073741819 => "access violation",
            _ => string.Create(CultureInfo.InvariantCulture, $"exit code {code}"),
        };

    private static string FirstLine(string text) => text.Split('\n')[0].Trim();
}
