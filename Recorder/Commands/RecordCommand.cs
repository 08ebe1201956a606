using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Configuration;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Sessions;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record [record]</c>: records the built-in suite, or the command after <c>--</c>, and prints the first screen.</summary>
internal sealed class RecordCommand : Command
{
    /// <summary>Default parent folder of recordings.</summary>
    public const string DefaultParent = "recordings";

    private readonly RecordingOptionSet _recording = new(etw: true);
    private readonly EtwOptionSet _etw = new();
    private readonly ModeOptions _mode = new();
    private readonly Option<bool> _follow = new("--follow")
    {
        Description = "Record every .NET process that the command starts, not only the first one that is not an SDK tool.",
    };
    private readonly Option<bool> _jitAll = new("--jit-all")
    {
        Description =
            $"Use no precompiled code ({RuntimeVariables.ReadyToRun}=0): the JIT compiles everything, so inlined frames are known for all methods. Slows the start-up, also that of 'dotnet run'.",
    };
    private readonly Option<bool> _code = new("--code")
    {
        Description =
            $"Record the machine code of the JIT for 'esp-analyze source --asm': the runtime writes jit-PID.dump into the recording ({RuntimeVariables.PerfMapEnabled}=2). Linux; slows compilation.",
    };
    private readonly Option<TimeSpan?> _duration = DurationText.Option(
        "Ctrl+C, SIGTERM, SIGHUP or the end of the program. A program that is still running is asked to end"
    );
    private readonly DumpOptions _dumps = new();
    private readonly RuntimeOptions _runtime = new();
    private readonly SuiteOptionSet _suite = new();
    private readonly ConfigurationOptions _configuration = new();

    /// <summary>Default seed for the order of the serializers: the same for every recorded runtime.</summary>
    private readonly int _seed = SuiteOptions.NewSeed();

    /// <summary>The command after <c>--</c> or of the configuration file; empty for the built-in suite.</summary>
    private IReadOnlyList<string> _command;

    /// <summary>The configuration file, null for none.</summary>
    private FileContents? _file;

    /// <summary>The CPU sampler, chosen once, so that its limitations are reported once for all recordings.</summary>
    private SamplerChoice? _sampler;

    public RecordCommand(IReadOnlyList<string> command)
        : base("record", "Records the built-in serializer suite, or a program of your own: esp-record -- COMMAND ARGS…")
    {
        this.WithExamples(
            ("esp-record", "Which serializer is fast, and why are the others slow? Records the built-in suite and prints a summary."),
            ("esp-record -serializer MemoryPack,MessagePack -n 1000 -runs 15", "Compare two serializers: 1000 objects, 15 runs of each."),
            ("esp-record --duration 30 -- dotnet MyServer.dll", "Record half a minute of your own server."),
            ("esp-record -test firstcall --runtime net8.0,net10.0", "What do first calls cost on two runtimes?")
        );
        _command = command;
        _recording.AddTo(this);
        Options.Add(_follow.InGroup(HelpGroups.Recorded));
        Options.Add(_jitAll.InGroup(HelpGroups.Recorded));
        Options.Add(_code.InGroup(HelpGroups.Recorded));
        Options.Add(_duration.InGroup(HelpGroups.Recorded));
        _mode.AddTo(this);
        _dumps.AddTo(this);
        _runtime.AddTo(this, precompile: true);
        _etw.AddTo(this);
        _suite.AddTo(this);
        _configuration.AddTo(this);
        SuiteCompletions.Set(_suite);
        foreach (var option in _suite.All)
            option.InGroup(HelpGroups.Suite);
        this.WithGroups(HelpGroups.Recorded, HelpGroups.Suite, HelpGroups.Dumps, HelpGroups.Etw, HelpGroups.Output);
        this.WithUsage(
            "esp-record [record] [options]                the built-in suite",
            "esp-record [record] [options] -- COMMAND ... a program of your own"
        );
        this.Check(result =>
        {
            if (_command.Count > 0 && (_suite.IsAnyGiven(result) || _runtime.IsGiven(result)))
                result.AddError(
                    $"options of the built-in suite do not apply to a command of your own {(_file?.Command == _command ? $"(\"command\" in {_file.File.Path})" : "after --")}",
                    _file?.Command == _command
                        ? "leave out the options of the suite, or the file with --no-config"
                        : "leave out the options of the suite, or the command"
                );
            var tool = _recording.Tool(result);
            foreach (var name in tool is null ? _etw.Given(result) : [])
                result.AddError($"{name} applies to ETW sessions", "name a tool with --sessions, for example --sessions xperf");
            foreach (
                var name in tool is null
                    ? []
                    : _recording
                        .GivenForOtherSystems(result)
                        .Concat(_mode.GivenForOtherSystems(result))
                        .Concat(result.GetResult(_duration) is { Implicit: false } ? ["--duration"] : [])
                        .Concat(result.GetValue(_code) ? ["--code"] : [])
                        .Concat(_runtime.IsGiven(result) ? ["--runtime and --precompile"] : [])
            )
                result.AddError(
                    $"{name} does not apply to ETW sessions (--sessions {EtwTools.NameOf(tool!.Value)})",
                    $"leave out {name}; 'esp-record record --help' lists the options of ETW"
                );
        });
        SetAction(RunAsync);
    }

    /// <summary>The options of the configuration file, grouped by section.</summary>
    public IReadOnlyList<ConfigurationSection> Sections =>
        [
            new(
                SuiteSection,
                "What the built-in suite measures, and on which runtimes. Ignored with a command of your own.",
                [.. _suite.All, .. _runtime.All]
            ),
            new(
                RecordSection,
                "What to record and how, where the recording goes, and what is printed.",
                Options.Except([.. _suite.All, .. _runtime.All, .. _etw.All, .. _configuration.All, _recording.DryRun])
            ),
            new(
                EtwSection,
                "ETW sessions on Windows. Used only if \"sessions\" names an ETW tool: xperf, tracelog, wpr or traceevent.",
                _etw.All
            ),
        ];

    /// <summary>Name of the section that other recording commands read, too.</summary>
    public const string RecordSection = "record";

    /// <summary>Name of the section of the built-in suite.</summary>
    public const string SuiteSection = "suite";

    /// <summary>Name of the section of ETW sessions.</summary>
    public const string EtwSection = "etw";

    /// <summary>The configuration file that the command line names or esp-record finds.</summary>
    public ConfigurationOptions Configuration => _configuration;

    /// <summary>Uses the command of the configuration file unless the command line has one after <c>--</c>.</summary>
    /// <returns>Names of the sections that apply, without that of ETW.</returns>
    public IReadOnlyList<string> Use(FileContents file)
    {
        _file = file;
        if (_command.Count == 0)
            _command = file.Command;
        return _command.Count == 0 ? [RecordSection, SuiteSection] : [RecordSection];
    }

    /// <summary>Whether the command line asks for a dry run.</summary>
    public bool IsDryRun(ParseResult parsed) => parsed.GetResult(_recording.DryRun) is { Implicit: false };

    /// <summary>Whether the command line chooses ETW sessions.</summary>
    public bool IsByEtw(ParseResult parsed) => _recording.NamesTool(parsed);

    /// <summary>Working directory of the command: the folder of the configuration file that contains it.</summary>
    private string WorkingDirectory =>
        _file is { Command.Count: > 0 } && _file.Command == _command ? _file.File.Folder : Environment.CurrentDirectory;

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        if (_suite.Read(parsed).Scenario == ScenarioCatalog.List)
        {
            ScenarioCatalog.Write(parsed.InvocationConfiguration.Output);
            return ExitCode.Done;
        }

        if (_command.Count == 0 && BuiltInSuite.Missing is { } missing)
            return parsed.Fail(missing, ExitCode.NotPossible);
        if (_command.Count > 0 && !_recording.IsDryRun(parsed) && CommandCheck.MissingAssembly(_command, WorkingDirectory) is { } absent)
            return parsed.Fail(absent, ExitCode.NotPossible);
        try
        {
            if (_runtime.IsGiven(parsed))
                return await new RuntimeRecording(
                    _runtime,
                    _recording,
                    (build, folder) => Suite(parsed, build, folder),
                    (build, end) => LeftOutAsync(parsed, build, end)
                )
                    .RunAsync(parsed, cancellation)
                    .ConfigureAwait(false);
            var options =
                _command.Count > 0
                    ? _dumps.Apply(parsed, PlanOf(parsed, _command, _recording.Folder(parsed)), byEtw: _recording.Tool(parsed) is not null)
                    : await ShippedSuiteAsync(parsed, cancellation).ConfigureAwait(false);
            if (_recording.Tool(parsed) is { } tool)
                return await new EtwRecording(tool, _etw.PlanOptions(parsed, _recording, _mode), options)
                    .RunAsync(_recording, parsed, cancellation)
                    .ConfigureAwait(false);
            if (_recording.IsDryRun(parsed))
            {
                await PlanPrinter.PrintAsync(options, parsed.InvocationConfiguration.Output).ConfigureAwait(false);
                return ExitCode.Done;
            }

            if (Verbosity.IsVerbose(parsed))
                await PlanPrinter.PrintAsync(options, parsed.InvocationConfiguration.Error).ConfigureAwait(false);
            using var snapshots = new SnapshotSignal();
            var result = await RecordingAction
                .RecordAsync(
                    parsed,
                    (progress, signals) =>
                        RecordingRunner.RunAsync(options with { Snapshots = snapshots.Requests }, progress, signals.Token, signals.Kill),
                    cancellation
                )
                .ConfigureAwait(false);
            return await RecordingAction.ReportAsync(parsed, result, _recording).ConfigureAwait(false);
        }
        catch (PublishException exception)
        {
            return parsed.Fail(exception.Problem, ExitCode.Usage);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return parsed.Fail(
                new Problem(
                    "interrupted before anything was recorded",
                    _recording.FolderGiven(parsed),
                    "record again, and wait for the end"
                ),
                ExitCode.Interrupted
            );
        }
        catch (Exception exception) when (exception is LaunchException or PerfEventException or SamplerException)
        {
            return parsed.Fail(exception, "the command after --", ExitCode.NotPossible);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(
                SystemProblem.OfWriting(exception, _recording.FolderGiven(parsed), "record to another folder with --out"),
                ExitCode.Usage
            );
        }
    }

    /// <summary>Options for the suite beside esp-record. Asks it first which serializers it leaves out, except in a dry run.</summary>
    /// <exception cref="PublishException">No chosen serializer can run.</exception>
    private async Task<RecordOptions> ShippedSuiteAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var build = RuntimePlan.OfShipped(BuiltInSuite.Shipped);
        var options = Suite(parsed, build, _recording.Folder(parsed));
        return options.Workload is null ? options : options.Without(await LeftOutAsync(parsed, build, cancellation).ConfigureAwait(false));
    }

    /// <summary>The chosen serializers that a build leaves out; empty for a scenario, which chooses its own.</summary>
    /// <exception cref="PublishException">No chosen serializer can run.</exception>
    private async Task<IReadOnlyList<LeftOutSerializer>> LeftOutAsync(ParseResult parsed, PublishPlan build, CancellationToken cancellation)
    {
        var suite = SuiteOptionsOf(parsed, build);
        return suite.Scenario.Length > 0
            ? []
            : await SuiteProbe
                .LeftOutAsync(
                    build,
                    [.. suite.ToArguments(), WorkloadOptionSet.LeftOutName],
                    PublishedSuites.EnvironmentOf(build),
                    cancellation
                )
                .ConfigureAwait(false);
    }

    /// <summary>Options for a build of the suite.</summary>
    private RecordOptions Suite(ParseResult parsed, PublishPlan build, string folder)
    {
        string[] command =
        [
            .. build.Launch,
            .. SuiteOptionsOf(parsed, build).ToArguments(),
            WorkloadOptionSet.CsvName,
            Path.GetFullPath(Path.Combine(folder, Recording.RunsFileName)),
            WorkloadOptionSet.QuietName,
        ];
        var options = PlanOf(parsed, command, folder);
        var variables = PublishedSuites.Variables(
            build,
            options.Sessions,
            parsed.GetValue(_jitAll),
            _suite.Read(parsed).Tests.Contains(SuiteTest.FirstCall)
        );
        return _dumps.Apply(
            parsed,
            options with
            {
                Environment = build.Environment,
                Sessions = build.HasEventPipe ? options.Sessions : [],
                Kernel =
                    build.Mono is null || options.Kernel is null
                        ? options.Kernel
                        : _recording.ChooseSampler(parsed, PerfEventScope.Launch, PerfEventPlan.MonoStackDumpBytes).Plan,
                Variables = build.Mono is null ? [.. variables, .. VariablesForCode(parsed, folder)] : variables,
                BuiltInSuite = true,
                FollowAll = true,
                Workload = _recording.IsDryRun(parsed) ? null : PublishedSuites.Describe(build, variables), // a dry run publishes nothing
            },
            byEtw: _recording.Tool(parsed) is not null
        );
    }

    /// <summary>The suite's options for one of several builds. All builds use the same order and write different files.</summary>
    private SuiteOptions SuiteOptionsOf(ParseResult parsed, PublishPlan build)
    {
        var options = _suite.Read(parsed);
        options = options with { Isolate = options.Scenario.Length > 0 ? null : options.Isolate ?? true };
        return !_runtime.AsksForSeveral(parsed)
            ? options
            : options with
            {
                Seed = options.Seed ?? _seed,
                Keep = options.Keep.Length > 0 ? Path.Combine(options.Keep, build.FolderName) : "",
            };
    }

    private IReadOnlyList<RuntimeVariable> VariablesForCode(ParseResult parsed, string folder) =>
        parsed.GetValue(_code) ? RuntimeVariables.CreateForCode(folder, Environment.GetEnvironmentVariable) : [];

    private RecordOptions PlanOf(ParseResult parsed, IReadOnlyList<string> command, string folder)
    {
        var sampler = _sampler ??= _recording.ChooseSampler(parsed, PerfEventScope.Launch, isOwnProgram: _command.Count > 0);
        var sessions = _recording.PlanRuntime(
            parsed,
            _command.Count == 0 && _suite.Read(parsed).Tests.Contains(SuiteTest.FirstCall),
            sampler,
            isOwnProgram: _command.Count > 0
        );
        return _mode.Apply(
            parsed,
            new RecordOptions
            {
                Command = command,
                Redaction = _recording.Hiding(parsed),
                MyCode = _recording.MyCode(parsed),
                WorkingDirectory = WorkingDirectory,
                Source = SourceReader.Read(WorkingDirectory, Environment.GetEnvironmentVariable),
                Folder = folder,
                Configuration = _file?.File.Path,
                Sessions = sessions,
                Variables =
                [
                    .. RuntimeVariables.Create(
                        sessions,
                        parsed.GetValue(_jitAll),
                        Environment.GetEnvironmentVariable,
                        dynamicMethods: _command.Count > 0
                    ),
                    .. VariablesForCode(parsed, folder),
                ],
                Kernel = sampler.Plan,
                FollowAll = parsed.GetValue(_follow),
                Duration = parsed.GetValue(_duration),

                // Standard output carries only the table when a program reads it.
                Output = _recording.Format(parsed) == ReportFormat.Table ? null : parsed.InvocationConfiguration.Error,
                ToolVersion = RecordingAction.ToolVersion,
            }
        );
    }
}
