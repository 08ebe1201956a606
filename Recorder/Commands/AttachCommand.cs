using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record attach PID</c>: records a process that runs, until Ctrl+C, and leaves it running.</summary>
internal sealed class AttachCommand : Command
{
    private readonly Argument<int> _processId = new("PID") { Description = "Process id." };
    private readonly Option<double?> _duration = new("--duration") { Description = "End after so many seconds; else at Ctrl+C, SIGTERM or the end of the process.", HelpName = "SECONDS" };
    private readonly RecordingOptionSet _recording = new();
    private readonly DumpOptions _dumps = new();

    /// <summary>The configuration file that a command line names, or that is found.</summary>
    public ConfigurationOptions Configuration { get; } = new();

    /// <summary>Path of the configuration file whose options were taken; null for none.</summary>
    public string? ConfiguredBy { get; set; }

    public AttachCommand()
        : base("attach", "Records a running .NET process until Ctrl+C, and leaves it running.")
    {
        Arguments.Add(_processId);
        Options.Add(_duration);
        _recording.AddTo(this);
        _dumps.AddTo(this);
        Configuration.AddTo(this);
        _processId.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() < 1)
                result.AddError("attach: a process id is 1 or more.");
        });
        _duration.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<double?>() is not null and not (> 0 and <= 1e6))
                result.AddError("--duration: choose more than 0 and at most 1000000 seconds.");
        });
        SetAction(RunAsync);
    }

    /// <summary>Whether nothing is to be recorded.</summary>
    public bool IsDryRun(ParseResult parsed) => parsed.GetResult(_recording.DryRun) is { Implicit: false };

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        try
        {
            var target = await AttachTarget.FindAsync(parsed.GetValue(_processId), new RecordLimits().Answer).ConfigureAwait(false);
            var options = new RecordOptions
            {
                Command = target.Command,
                WorkingDirectory = target.WorkingDirectory,
                Folder = _recording.Folder(parsed),
                Configuration = ConfiguredBy,
                Sessions = target.WithoutRuntime.Length == 0 ? _recording.PlanRuntime(parsed, hasFirstCalls: false) : [],
                Kernel = await _recording.PlanKernelAsync(parsed, PerfEventScope.Attach).ConfigureAwait(false),
                ToolVersion = RecordingAction.ToolVersion,
                Dumps = _dumps.Plan(parsed),
            };
            if (options.Sessions.Count == 0 && options.Kernel is null)
                return await RecordingAction.FailAsync(NothingToRecord(target), ExitCode.NotPossible).ConfigureAwait(false);
            if (InliningNote(target, options) is { } note)
                await Console.Error.WriteLineAsync($"note: {note}").ConfigureAwait(false);
            if (_recording.IsDryRun(parsed))
            {
                await PlanPrinter.PrintAsync(options, Console.Out, attached: true).ConfigureAwait(false);
                return ExitCode.Done;
            }

            await Console.Error.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"recording process {target.ProcessId} to {options.Folder}; Ctrl+C ends the recording, not the process")).ConfigureAwait(false);
            var duration = parsed.GetValue(_duration) is { } seconds ? TimeSpan.FromSeconds(seconds) : (TimeSpan?)null;
            var result = await RecordingAction.RecordAsync((progress, end) => AttachRunner.RunAsync(target, options, duration, progress, end), cancellation).ConfigureAwait(false);
            return await RecordingAction.ReportAsync(result, _recording.Format(parsed), _recording.IsAnalyzed(parsed), _recording.HasPage(parsed)).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is AttachException or PerfEventException)
        {
            return await RecordingAction.FailAsync(exception.Message, ExitCode.NotPossible).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return await RecordingAction.FailAsync(exception.Message, ExitCode.Usage).ConfigureAwait(false);
        }
    }

    /// <summary>What is missing of inlined frames: the runtime tells them when it compiles a method, and only if it was started to.</summary>
    private static string? InliningNote(AttachTarget target, RecordOptions options)
    {
        if (!EventPipePlan.HasInlineTrees(options.Sessions))
            return null;
        var variable = $"{RuntimeVariables.RichDebugInfo}=1";
        return target.TellsInlining switch
        {
            true => "inlined frames are recorded of methods that are compiled from now on only",
            false => $"no inlined frames: process {target.ProcessId} was not started with {variable}",
            null => $"no inlined frames unless process {target.ProcessId} was started with {variable}",
        };
    }

    private static string NothingToRecord(AttachTarget target) =>
        target.WithoutRuntime.Length > 0 ? $"{target.WithoutRuntime}; without kernel events nothing is left to record" : "--sessions leaves nothing to record";
}
