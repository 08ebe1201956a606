using System.CommandLine;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Running;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Records by ETW, or prints each step.</summary>
/// <param name="tool">The tool that records.</param>
/// <param name="planOptions">The chosen plan options.</param>
/// <param name="options">Command and folder of the recording.</param>
internal sealed class EtwRecording(EtwTool tool, EtwPlanOptions planOptions, RecordOptions options)
{
    /// <summary>Records or prints.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(RecordingOptionSet recording, ParseResult parsed, CancellationToken cancellation)
    {
        var dryRun = recording.IsDryRun(parsed);
        var steps = EtwStepFactory.Create(tool, EtwPresets.Create(planOptions, EtwMachine.Read()), Target(dryRun));
        if (dryRun)
        {
            var json = recording.Format(parsed) == ReportFormat.Json;
            if (json)
                await parsed.InvocationConfiguration.Output.WriteLineAsync(EtwStepJson.Write(steps)).ConfigureAwait(false);
            else
                EtwStepText.Write(steps, parsed.InvocationConfiguration.Output);
            foreach (var line in DumpLines())
                await (json ? parsed.InvocationConfiguration.Error : parsed.InvocationConfiguration.Output)
                    .WriteLineAsync(line)
                    .ConfigureAwait(false);
            return ExitCode.Done;
        }

        if (!OperatingSystem.IsWindows())
            return parsed.Fail(
                new Problem(
                    "ETW exists on Windows only",
                    $"--sessions {EtwTools.NameOf(tool)}",
                    "print the plan with --dry-run, or leave --sessions out"
                ),
                ExitCode.NotPossible
            );
        using var executor = Executor();
        using var signals = new InterruptSignals(cancellation);
        var run = new EtwRunOptions { Executor = executor, OnStep = parsed.Messages().Step };
        parsed.Messages().Note(EtwStepText.Untested);
        foreach (var sentence in steps.Plan.Warnings.Concat(steps.NotPossible).Concat(DumpLines()))
            parsed.Messages().Note(sentence);
        try
        {
            var result = await EtwRecorder.RunAsync(steps, run, options, signals.Token).ConfigureAwait(false);
            return await RecordingAction.ReportAsync(parsed, result, recording).ConfigureAwait(false);
        }
        catch (EtwStepException exception)
        {
            return parsed.Fail(exception.Problem, signals.Token.IsCancellationRequested ? ExitCode.Interrupted : ExitCode.NotPossible);
        }
    }

    /// <summary>The procdump commands for the requested dumps: ETW sessions cannot hold a thread.</summary>
    private IEnumerable<string> DumpLines() =>
        options.Command.Count == 0
            ? []
            : ProcdumpPlan.Describe(options.Dumps, ProgramName(options.Command[0]), Path.Combine(options.Folder, RecordedDump.FolderName));

    private static string ProgramName(string program) =>
        Path.GetFileName(program.Replace('\\', '/')) is var name && name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ? name
            : name + ".exe";

    private IEtwStepExecutor Executor() => tool == EtwTool.TraceEvent ? new TraceEventStepExecutor() : new ToolStepExecutor();

    private EtwTarget Target(bool dryRun)
    {
        var environment = options.Environment.Where(pair => pair.Value is not null).ToDictionary(pair => pair.Key, pair => pair.Value!);
        foreach (var variable in options.Variables.Where(variable => !variable.SetByUser))
            environment.TryAdd(variable.Name, variable.Value);
        return new EtwTarget(dryRun ? options.Folder : Path.GetFullPath(options.Folder), options.Command)
        {
            WorkingDirectory = options.WorkingDirectory,
            Environment = environment,
        };
    }
}
