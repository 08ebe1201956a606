using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Sessions;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options of every recording command: what to record, where to, and what to print.</summary>
internal sealed class RecordingOptionSet
{
    /// <summary>Smallest buffer: a few records with stacks.</summary>
    private const int MinBufferBytes = 128 << 10;

    private static readonly string[] s_sessionNames = [.. EventPipePlan.SessionNames, PerfEventPlan.SessionName];

    private readonly Option<string> _out = new("--out", "-o", "--output")
    {
        Description = $"Folder of the recording (default: {RecordCommand.DefaultParent}/<time>).",
        HelpName = "DIR",
    };

    private readonly Option<string[]> _sessions = new("--sessions")
    {
        Description =
            "Sessions to record: clr (GCs, exceptions, run marks), code (JIT, waits, locks, method names), perf (context switches, CPU samples; Linux). "
            + $"Or one ETW tool on Windows that records everything: {string.Join(", ", EtwTools.Names)} (record only; --dry-run prints its commands on any system).",
        HelpName = "a,b|TOOL",
        DefaultValueFactory = _ => [.. s_sessionNames],
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<AllocationChoice> _alloc = new Option<AllocationChoice>("--alloc")
    {
        Description =
            "Allocation events: sampled (.NET 10; ticks before), ticks (one per about 100 KB, in a separate session), none; auto: sampled for a program of your own, none for the suite. --alloc alone means sampled.",
        HelpName = "auto|none|sampled|ticks",
        Arity = ArgumentArity.ZeroOrOne,
    }.ByName(alone: AllocationChoice.Sampled);

    private readonly Option<CpuSampler> _sampler = new Option<CpuSampler>("--sampler")
    {
        Description =
            "CPU sampler: auto (the first permitted one of the next three), perf (perf events, with context switches), ptrace (launched programs on Linux; needs no rights), "
            + "eventpipe (the runtime's sample profiler, on any system, also for running programs: managed frames at safe points), none.",
        HelpName = "auto|perf|ptrace|eventpipe|none",
    }.ByName();

    private readonly Option<int> _sampleRate = new("--sample-rate")
    {
        Description = "CPU samples per second of CPU time, 1 to 100000.",
        HelpName = "HZ",
        DefaultValueFactory = _ => PerfEventPlan.DefaultSampleRateHz,
    };

    private readonly Option<bool> _noInlineInfo = new("--no-inline-info")
    {
        Description = $"Do not record inlined methods; a launched program then runs without {RuntimeVariables.RichDebugInfo}=1.",
    };

    private readonly Option<StartupChoice> _startup = new Option<StartupChoice>("--startup")
    {
        Description =
            "Events that explain the time of first calls: assemblies (failed loads; costs almost nothing), all (also type loads and precompiled methods: first calls take about 45 % longer), auto (all with -test firstcall of the built-in suite, else none).",
        HelpName = "auto|none|assemblies|all",
    }.ByName();

    private readonly Option<int> _stackDump = new("--stack-dump")
    {
        Description =
            "Bytes of stack in a CPU sample, to find callers that frame pointers lose. Fewer bytes make smaller files, but below 1408 the callers of allocations are lost. The default for a program of your own is 4096, because async methods have deep stacks.",
        HelpName = "BYTES",
        DefaultValueFactory = _ => PerfEventPlan.DefaultStackDumpBytes,
    };

    private readonly Option<string> _buffer = new("--buffer")
    {
        Description =
            "Memory for events that are not yet written: of each processor for kernel events (default: 16MB, or what 'ulimit -l' permits) and, above 256MB, of each runtime session. Take more when records are lost; 'esp-record doctor' shows the limit.",
        HelpName = "SIZE",
    };

    private readonly Option<bool> _noStackDump = new("--no-stack-dump")
    {
        Description = "CPU samples without stack bytes: smaller files, but methods that call allocation and other helpers lose samples.",
    };

    private readonly Option<bool> _noSwitchStacks = new("--no-switch-stacks")
    {
        Description =
            "Context switches of a program of your own without stacks: smaller files, but only the runtime's events then show what threads wait for.",
    };

    private readonly Option<bool> _noRequests = new("--no-requests")
    {
        Description = "Do not record the HTTP requests that a program of your own serves (ASP.NET Core) or sends (HttpClient).",
    };

    private readonly Option<bool> _async = new("--async")
    {
        Description =
            "Record which async method awaits which in a program of your own (.NET 8 and later): a method that continues after an await then stands below its awaiting callers instead of the thread pool. Costs time for each await; see docs/recording.md.",
    };

    private readonly Option<bool> _systemWide = new("--system-wide")
    {
        Description = "Record kernel events of all processes on the machine; needs root or CAP_PERFMON.",
    };
    private readonly Option<string[]> _redact = new("--redact")
    {
        Description =
            $"Hide a password or another secret: replaces text that matches the regular expression by {Redaction.Replacement} in the recorded command line and variables. It is matched against the command as one line, and against NAME=VALUE. Repeatable. Dumps are not redacted: they contain the process's memory.",
        HelpName = "PATTERN",
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<KeptFiles> _programFiles = new Option<KeptFiles>("--program-files")
    {
        Description =
            "The program's own files that are copied into the recording, so that it can be read after the next build and on another machine: source (assemblies with a PDB, their PDBs, source files in which time was spent), assemblies, symbols (only the parts of libraries and assemblies that give names and callers; the other values include them), none.",
        HelpName = "source|assemblies|symbols|none",
        DefaultValueFactory = _ => KeptFiles.Source,
    }.ByName();

    private readonly Option<string[]> _myCode = new("--my-code")
    {
        Description =
            "Assemblies and namespaces that are your own code, for summaries, findings and esp-analyze cpu --just-my-code: a part of the name, #name for the whole one, several with commas (default: the program and its libraries). In esp.json it holds for all recordings of a team.",
        HelpName = "NAME",
        DefaultValueFactory = _ => [],
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Print the plan; record nothing." };
    private readonly Option<bool> _noAnalyze = new("--no-analyze") { Description = "Do not read the recording: no table, no report.html." };
    private readonly Option<bool> _noReport = new("--no-report") { Description = "Do not write report.html into the recording's folder." };
    private readonly Option<ReportFormat> _format = new Option<ReportFormat>("--format", "-f")
    {
        Description = "Format of the table.",
        HelpName = "table|csv|json|markdown",
    }.ByName();

    /// <summary>The last note about the sampler. It is printed once, but recordings of several runtimes each plan the sampler.</summary>
    private string _samplerNote = "";

    /// <summary>Creates the options.</summary>
    /// <param name="etw">Whether --sessions may name an ETW tool.</param>
    public RecordingOptionSet(bool etw = false)
    {
        string[] known = [.. s_sessionNames, .. etw ? EtwTools.Names : []];
        _sessions.CustomParser = result =>
            [
                .. result
                    .Tokens.SelectMany(token =>
                        token.Value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                    )
                    .SelectMany(name => Named(name))
                    .Distinct(),
            ];
        _sessions.Validators.Add(result =>
        {
            var names = result.GetValueOrDefault<string[]>();
            if (etw && names.Length == 1 && EtwTools.TryParse(names[0], out _))
                return;
            foreach (var name in names.Where(name => !s_sessionNames.Contains(name)))
            {
                if (EtwTools.TryParse(name, out _))
                    result.AddError(
                        $"'{name}' cannot be combined with other sessions",
                        etw ? "name it alone" : "use it with 'record'; 'attach' does not support it"
                    );
                else
                    result.AddError($"unknown session '{name}'", NameChoice.Advice(name, known));
            }
        });
        _sessions.CompleteList(() => known);
        _redact.Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
            {
                try
                {
                    Redaction.Parse(token.Value);
                }
                catch (ArgumentException exception)
                {
                    result.AddError(
                        $"'{token.Value}' is not a regular expression: {exception.Message.TrimEnd('.')}",
                        "write, for example, --redact '(?<=--password.)\\S+'"
                    );
                }
            }
        });
        _sampleRate.Validators.Add(result =>
        {
            if (result.Has<int>(value => value is < 1 or > 100_000))
                result.AddError($"the sample rate {result.Tokens[0].Value} is not possible", "choose from 1 to 100000");
        });
        _buffer.Validators.Add(result =>
        {
            if (!ByteSize.TryParse(result.Tokens[0].Value, out var bytes) || bytes is < MinBufferBytes or > PerfEventPlan.MaxRingBytes)
                result.AddError(
                    $"a buffer of {result.Tokens[0].Value} is not possible",
                    $"choose from {ByteSize.Format(MinBufferBytes)} to {ByteSize.Format(PerfEventPlan.MaxRingBytes)}: {ByteSize.Form}"
                );
        });
        _stackDump.Validators.Add(result =>
        {
            if (result.Has<int>(bytes => bytes is < 8 or > PerfEventPlan.MaxStackDumpBytes || bytes % 8 != 0))
                result.AddError(
                    $"{result.Tokens[0].Value} bytes of stack are not possible",
                    $"choose a multiple of 8 from 8 to {PerfEventPlan.MaxStackDumpBytes}; --no-stack-dump takes none"
                );
        });
    }

    /// <summary>The redaction of the recording.</summary>
    public Redaction Hiding(ParseResult parsed) =>
        parsed.GetValue(_redact) is { Length: > 0 } patterns ? new Redaction([.. patterns.Select(Redaction.Parse)]) : Redaction.None;

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (
            var option in (Option[])
                [
                    _out,
                    _sessions,
                    _alloc,
                    _sampler,
                    _sampleRate,
                    _buffer,
                    _stackDump,
                    _noStackDump,
                    _noSwitchStacks,
                    _noInlineInfo,
                    _noRequests,
                    _async,
                    _startup,
                    _systemWide,
                    _redact,
                    _programFiles,
                    _myCode,
                    _dryRun,
                    _noAnalyze,
                    _noReport,
                    _format,
                ]
        )
            command.Options.Add(option.InGroup(HelpGroups.Recorded));
        foreach (var option in (Option[])[_out, _redact, _programFiles, _myCode, _dryRun, _noAnalyze, _noReport, _format])
            option.InGroup(HelpGroups.Output);
        command.Check(result =>
        {
            if (
                result.GetValue(_systemWide)
                && result.GetResult(_sessions) is { Implicit: false } given
                && !given.GetValueOrDefault<string[]>().Contains(PerfEventPlan.SessionName)
            )
                result.AddError(
                    $"--system-wide needs the session '{PerfEventPlan.SessionName}', which --sessions leaves out",
                    $"add {PerfEventPlan.SessionName} to --sessions, or leave out --system-wide"
                );
        });
    }

    /// <summary>The option <c>--dry-run</c>.</summary>
    public Option DryRun => _dryRun;

    /// <summary>Whether the command line, which may have errors elsewhere, names an ETW tool.</summary>
    public bool NamesTool(ParseResult parsed) =>
        parsed.GetResult(_sessions) is { Implicit: false, Tokens: [var name] } && ToolOf([.. Named(name.Value)]) is not null;

    /// <summary>Folder of the recording.</summary>
    public string Folder(ParseResult parsed) =>
        parsed.GetValue(_out)
        ?? Path.Combine(RecordCommand.DefaultParent, DateTime.Now.ToString("yyyy-MM-dd_HH-mm-ss", CultureInfo.InvariantCulture));

    /// <summary>The folder as given, for messages.</summary>
    public string FolderGiven(ParseResult parsed) => parsed.GetValue(_out) ?? RecordCommand.DefaultParent;

    /// <summary>Format of the table.</summary>
    public ReportFormat Format(ParseResult parsed) => parsed.GetValue(_format);

    /// <summary>The ETW tool; null when the command line names none.</summary>
    public EtwTool? Tool(ParseResult parsed) => ToolOf(parsed.GetValue(_sessions));

    /// <summary>The ETW tool; null when the command line names none.</summary>
    public EtwTool? Tool(CommandResult command) => ToolOf(command.GetValue(_sessions));

    /// <summary>Given options that do not apply to ETW.</summary>
    public IEnumerable<string> GivenForOtherSystems(CommandResult command) =>
        ((Option[])[_sampler, _sampleRate, _buffer, _stackDump, _noStackDump, _noSwitchStacks, _noRequests, _async, _systemWide, _redact])
            .Where(option => command.GetResult(option) is { Implicit: false })
            .Select(option => option.Name);

    /// <summary>Allocation events of an ETW recording, which records them only on demand.</summary>
    public AllocationEvents EtwAllocation(ParseResult parsed) => parsed.GetValue(_alloc).Resolve(isOwnProgram: false);

    /// <summary>Whether to record inlined methods.</summary>
    public bool InlineInfo(ParseResult parsed) => !parsed.GetValue(_noInlineInfo);

    /// <summary>Events of first calls; null for the default of the recorded program.</summary>
    public StartupEvents? Startup(ParseResult parsed) =>
        parsed.GetValue(_startup) switch
        {
            StartupChoice.None => StartupEvents.None,
            StartupChoice.Assemblies => StartupEvents.Assemblies,
            StartupChoice.All => StartupEvents.All,
            _ => null,
        };

    /// <summary>Whether the command line asks for a dry run.</summary>
    public bool IsDryRun(ParseResult parsed) => parsed.GetValue(_dryRun);

    /// <summary>Whether to print the table.</summary>
    public bool IsAnalyzed(ParseResult parsed) => !parsed.GetValue(_noAnalyze);

    /// <summary>Whether to write report.html; never without the table.</summary>
    public bool HasPage(ParseResult parsed) => IsAnalyzed(parsed) && !parsed.GetValue(_noReport);

    /// <summary>Assemblies and namespaces that the user calls own code.</summary>
    public IReadOnlyList<string> MyCode(ParseResult parsed) =>
        [.. parsed.GetValue(_myCode)!.SelectMany(NamePattern.List).Select(name => name.ToString())];

    /// <summary>Which of the program's files to keep.</summary>
    public KeptFiles Kept(ParseResult parsed) => parsed.GetValue(_programFiles);

    /// <summary>The sessions to start in each recorded process.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="hasFirstCalls">Whether the recorded program makes first calls.</param>
    /// <param name="sampler">The CPU sampler and the plan of the kernel's events.</param>
    /// <param name="isOwnProgram">Whether the recorded program is one other than the built-in suite.</param>
    public IReadOnlyList<PlannedSession> PlanRuntime(ParseResult parsed, bool hasFirstCalls, SamplerChoice sampler, bool isOwnProgram)
    {
        var startup = Startup(parsed) ?? (hasFirstCalls ? StartupEvents.All : StartupEvents.None);
        var buffer = BufferBytes(parsed) >> 20;
        var sessions = EventPipePlan.Create(
            parsed.GetValue(_sessions)!,
            parsed.GetValue(_alloc).Resolve(isOwnProgram),
            sampler.Sampler == CpuSampler.EventPipe,
            !parsed.GetValue(_noInlineInfo),
            startup,
            inlineeTypes: !isOwnProgram,
            requests: isOwnProgram && !parsed.GetValue(_noRequests),
            asyncCallers: isOwnProgram && parsed.GetValue(_async),
            workerWaits: isOwnProgram && sampler.Plan is PerfEventPlan { HasSwitchStacks: false }
        );
        return [.. sessions.Select(session => session with { BufferMegabytes = Math.Max(session.BufferMegabytes, buffer) })];
    }

    /// <summary>Chooses the CPU sampler, and says so when a better one is not permitted.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="scope">Threads to record unless the command line asks for all processes.</param>
    /// <param name="stackDumpBytes">Bytes of stack in a sample unless the command line sets them.</param>
    /// <param name="hasRuntime">
    /// Whether EventPipe can record. Without EventPipe and kernel session there is no recording; the caller reports why.
    /// </param>
    /// <param name="isOwnProgram">
    /// Whether a user's program is recorded: its context switches get stacks. The suite measures threads that compute, and gets none.
    /// </param>
    /// <exception cref="SamplerException">The requested sampler is not possible here.</exception>
    /// <exception cref="PerfEventException">The command line asks for all processes, and this is not permitted.</exception>
    public SamplerChoice ChooseSampler(
        ParseResult parsed,
        PerfEventScope scope,
        int stackDumpBytes = PerfEventPlan.DefaultStackDumpBytes,
        bool hasRuntime = true,
        bool isOwnProgram = false
    )
    {
        var sampler = parsed.GetValue(_sampler);
        if (!parsed.GetValue(_sessions)!.Contains(PerfEventPlan.SessionName))
            return new SamplerChoice(sampler == CpuSampler.EventPipe ? sampler : CpuSampler.None, null, "");
        var choice = SamplerLadder.Choose(
            sampler,
            parsed.GetValue(_systemWide) ? PerfEventScope.SystemWide : scope,
            parsed.GetValue(_sampleRate),
            parsed.GetValue(_noStackDump) ? 0
                : parsed.GetResult(_stackDump) is { Implicit: false } ? parsed.GetValue(_stackDump)
                : isOwnProgram ? PerfEventPlan.ProgramStackDumpBytes
                : stackDumpBytes,
            PtraceRole.Command(typeof(RecordingOptionSet).Assembly.Location),
            !isOwnProgram ? 0
                : parsed.GetValue(_noSwitchStacks) ? null
                : PerfEventPlan.DefaultSwitchStackBytes,
            BufferBytes(parsed)
        );
        if (choice.Note.Length > 0 && choice.Note != _samplerNote && (hasRuntime || choice.Plan is not null))
            parsed.Messages().Note(choice.Note);
        _samplerNote = choice.Note;
        return choice;
    }

    /// <summary>The requested buffer; 0 for the default. The validator has rejected invalid sizes.</summary>
    private int BufferBytes(ParseResult parsed) =>
        parsed.GetValue(_buffer) is { } size && ByteSize.TryParse(size, out var bytes) ? (int)bytes : 0;

    /// <summary>The sessions that a text chooses, or the ETW tools it chooses; the text itself when it chooses nothing.</summary>
    private static IReadOnlyList<string> Named(string text) =>
        NameChoice.Find(text, s_sessionNames) is { Count: > 0 } sessions ? sessions
        : NameChoice.Find(text, EtwTools.Names) is { Count: > 0 } tools ? tools
        : [text];

    private static EtwTool? ToolOf(string[]? sessions) => sessions is [var name] && EtwTools.TryParse(name, out var tool) ? tool : null;
}
