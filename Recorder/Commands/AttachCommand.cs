using System.CommandLine;
using System.CommandLine.Completions;
using System.Globalization;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions;
using EtwSerializerProfiler.Sessions.Attach;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record attach PID</c>: records a running process until Ctrl+C and leaves it running.</summary>
internal sealed class AttachCommand : Command
{
    private readonly Argument<int?> _processId = new("PID")
    {
        Description = "Process id; 'esp-record ps' lists the .NET processes.",
        Arity = ArgumentArity.ZeroOrOne,
    };
    private readonly Option<int?> _processOption = new("--process-id", "-p") { Description = "The same as PID.", HelpName = "PID" };
    private readonly Option<string?> _name = new("--name", "-n")
    {
        Description = "Name of the process, or a part of the name, instead of its id. Exactly one process must match.",
        HelpName = "NAME",
    };
    private readonly Option<TimeSpan?> _duration = DurationText.Option("Ctrl+C, SIGTERM, SIGHUP or the end of the process");
    private readonly RecordingOptionSet _recording = new();
    private readonly DumpOptions _dumps = new();

    /// <summary>The configuration file that the command line names or esp-record finds.</summary>
    public ConfigurationOptions Configuration { get; } = new();

    /// <summary>Path of the configuration file whose options were used; null for none.</summary>
    public string? ConfiguredBy { get; set; }

    public AttachCommand()
        : base("attach", "Records a running .NET process until Ctrl+C, and leaves it running.")
    {
        this.WithExamples(
            ("esp-record attach 4711", "Record a running process until Ctrl+C and print what it cost."),
            ("esp-record attach 4711 --duration 30 --out recordings/live", "Record half a minute into the named folder."),
            ("esp-record attach 4711 --sessions perf --sample-rate 4000", "Record only CPU samples, four times as many as usual.")
        );
        Aliases.Add("collect");
        Arguments.Add(_processId);
        Options.Add(_processOption.InGroup(HelpGroups.Recorded));
        Options.Add(_name.InGroup(HelpGroups.Recorded));
        _processId.CompletionSources.Add(_ =>
            RunningProcesses.Ids().Select(id => new CompletionItem(id.ToString(CultureInfo.InvariantCulture)))
        );
        _processOption.CompletionSources.Add(_ =>
            RunningProcesses.Ids().Select(id => new CompletionItem(id.ToString(CultureInfo.InvariantCulture)))
        );
        Options.Add(_duration.InGroup(HelpGroups.Recorded));
        _recording.AddTo(this);
        _dumps.AddTo(this);
        Configuration.AddTo(this);
        this.WithGroups(HelpGroups.Recorded, HelpGroups.Dumps, HelpGroups.Output);
        _processId.Validators.Add(result =>
        {
            if (result.Has<int?>(value => value < 1))
                result.AddError("a process id is 1 or more", "name a process; 'esp-record ps' lists the .NET processes");
        });
        this.Check(result =>
        {
            var given =
                (result.GetResult(_processId) is { Tokens.Count: > 0 } ? 1 : 0)
                + (result.GetResult(_processOption) is null ? 0 : 1)
                + (result.GetResult(_name) is null ? 0 : 1);
            if (given == 0)
                result.AddError("no process is named", "name one: PID, -p PID or -n NAME; 'esp-record ps' lists the .NET processes");
            else if (given > 1)
                result.AddError("the process is named more than once", "name it by PID, by -p PID or by -n NAME");
        });
        SetAction(RunAsync);
    }

    /// <summary>Whether the command line asks for a dry run.</summary>
    public bool IsDryRun(ParseResult parsed) => parsed.GetResult(_recording.DryRun) is { Implicit: false };

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        try
        {
            var target = await AttachTarget
                .FindAsync(await ProcessAsync(parsed).ConfigureAwait(false), new RecordLimits().Answer)
                .ConfigureAwait(false);
            var hasRuntime = target.WithoutRuntime is null;
            var sampler = _recording.ChooseSampler(parsed, PerfEventScope.Attach, hasRuntime: hasRuntime, isOwnProgram: true);
            var options = new RecordOptions
            {
                Command = target.Command,
                Redaction = _recording.Hiding(parsed),
                MyCode = _recording.MyCode(parsed),
                WorkingDirectory = target.WorkingDirectory,
                Folder = _recording.Folder(parsed),
                Configuration = ConfiguredBy,
                Source = SourceReader.Read(target.WorkingDirectory, Environment.GetEnvironmentVariable),
                Sessions = hasRuntime ? _recording.PlanRuntime(parsed, hasFirstCalls: false, sampler, isOwnProgram: true) : [],
                Kernel = sampler.Plan,
                ToolVersion = RecordingAction.ToolVersion,
                Dumps = _dumps.Plan(parsed),
            };
            if (options.Sessions.Count == 0 && options.Kernel is null)
                return parsed.Fail(NothingToRecord(target), ExitCode.NotPossible);
            if (InliningNote(target, options) is { } note)
                parsed.Messages().Note(note);
            if (_recording.IsDryRun(parsed))
            {
                await PlanPrinter.PrintAsync(options, parsed.InvocationConfiguration.Output, attached: true).ConfigureAwait(false);
                return ExitCode.Done;
            }

            await parsed
                .InvocationConfiguration.Error.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"recording process {target.ProcessId} to {options.Folder}; Ctrl+C ends the recording, not the process"
                    )
                )
                .ConfigureAwait(false);
            var result = await RecordingAction
                .RecordAsync(
                    parsed,
                    (progress, signals) =>
                        AttachRunner.RunAsync(target, options with { Duration = parsed.GetValue(_duration) }, progress, signals.Token),
                    cancellation
                )
                .ConfigureAwait(false);
            return await RecordingAction.ReportAsync(parsed, result, _recording).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is AttachException or PerfEventException or SamplerException)
        {
            return parsed.Fail(exception, "the process", ExitCode.NotPossible);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(
                SystemProblem.OfWriting(exception, _recording.FolderGiven(parsed), "record to another folder with --out"),
                ExitCode.Usage
            );
        }
    }

    /// <summary>The process that was named by its id or its name.</summary>
    private async Task<int> ProcessAsync(ParseResult parsed) =>
        parsed.GetValue(_name) is { } name
            ? await RunningProcesses.FindAsync(name, new RecordLimits().Answer).ConfigureAwait(false)
            : parsed.GetValue(_processId) ?? parsed.GetValue(_processOption)!.Value;

    /// <summary>
    /// Explains why inlined frames are missing: the runtime reports them when it compiles a method, and only if it was started with the
    /// variable.
    /// </summary>
    private static string? InliningNote(AttachTarget target, RecordOptions options)
    {
        if (!EventPipePlan.HasInlineTrees(options.Sessions))
            return null;
        var variable = $"{RuntimeVariables.RichDebugInfo}=1";
        return target.TellsInlining switch
        {
            true => "inlined frames are recorded only for methods that are compiled from now on",
            false => $"no inlined frames: process {target.ProcessId} was not started with {variable}",
            null => $"no inlined frames unless process {target.ProcessId} was started with {variable}",
        };
    }

    private static Problem NothingToRecord(AttachTarget target) =>
        target.WithoutRuntime is { } why
            ? why with
            {
                What = $"{why.What}; without kernel events nothing is left to record",
            }
            : new Problem(
                "--sessions leaves nothing to record",
                $"process {target.ProcessId}",
                "name another session, or leave --sessions out"
            );
}
