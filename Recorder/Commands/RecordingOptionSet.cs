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

/// <summary>Options that every command has that records: what, where to, and what is printed of it.</summary>
internal sealed class RecordingOptionSet
{
    private static readonly string[] s_sessionNames = [.. EventPipePlan.SessionNames, PerfEventPlan.SessionName];

    private readonly Option<string> _out = new("--out", "-o", "--output") { Description = $"Folder of the recording (default: {RecordCommand.DefaultParent}/<time>).", HelpName = "DIR" };

    private readonly Option<string[]> _sessions = new("--sessions")
    {
        Description = "Sessions to record: clr (collections, exceptions, locks, run marks), code (JIT, marker waits, method names), perf (context switches, CPU samples; Linux). "
            + $"Or what records all of it by ETW on Windows: {string.Join(", ", EtwTools.Names)} (record only; with --dry-run the plan of every command is printed on any system).",
        HelpName = "a,b|TOOL",
        DefaultValueFactory = _ => [.. s_sessionNames],
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<AllocationChoice> _alloc = new Option<AllocationChoice>("--alloc")
    {
        Description = "Allocation events: sampled (.NET 10; ticks before), ticks (one for about every 100 KB, a session of its own), none; auto: sampled for a program of your own, none for the suite. --alloc alone means sampled.",
        HelpName = "auto|none|sampled|ticks",
        Arity = ArgumentArity.ZeroOrOne,
    }.ByName(alone: AllocationChoice.Sampled);

    private readonly Option<CpuSampler> _sampler = new Option<CpuSampler>("--sampler")
    {
        Description = "What samples CPU time: auto (the first of the next three that is permitted), perf (perf events, with context switches), ptrace (a launched program on Linux, without any right), "
            + "eventpipe (the runtime's sample profiler, on any system and for programs that run already, too: managed frames at safe points), none.",
        HelpName = "auto|perf|ptrace|eventpipe|none",
    }.ByName();

    private readonly Option<int> _sampleRate = new("--sample-rate")
    {
        Description = "CPU samples a second of CPU time, 1 to 100000.",
        HelpName = "HZ",
        DefaultValueFactory = _ => PerfEventPlan.DefaultSampleRateHz,
    };

    private readonly Option<bool> _noInlineInfo = new("--no-inline-info") { Description = $"Do not record which methods were inlined where; a launched program then gets no {RuntimeVariables.RichDebugInfo}=1." };

    private readonly Option<StartupChoice> _startup = new Option<StartupChoice>("--startup")
    {
        Description = "Events that tell what first calls are made of: assemblies (failed loads; costs next to nothing), all (also type loads and precompiled methods: first calls take about 45 % longer), auto (all with -test firstcall of the built-in suite, else none).",
        HelpName = "auto|none|assemblies|all",
    }.ByName();

    private readonly Option<int> _stackDump = new("--stack-dump")
    {
        Description = "Bytes of stack in a CPU sample, to find callers that frame pointers lose: less makes smaller files, but allocation hides its callers below 1408. A program of your own has 4096 unless this is given: async methods stand deep.",
        HelpName = "BYTES",
        DefaultValueFactory = _ => PerfEventPlan.DefaultStackDumpBytes,
    };

    private readonly Option<bool> _noStackDump = new("--no-stack-dump") { Description = "CPU samples without stack: smaller files, but methods that call allocation and other helpers lose samples." };

    private readonly Option<bool> _noSwitchStacks = new("--no-switch-stacks") { Description = "Context switches of a program of one's own without their stacks: smaller files, but what its threads wait for is known from the runtime's events alone." };

    private readonly Option<bool> _noRequests = new("--no-requests") { Description = "Do not record the HTTP requests that a program of your own serves (ASP.NET Core) or sends (HttpClient)." };

    private readonly Option<bool> _systemWide = new("--system-wide") { Description = "Record kernel events of all processes of the machine; needs root or CAP_PERFMON." };
    private readonly Option<string[]> _redact = new("--redact")
    {
        Description = $"Hide a password or another secret: what the regular expression matches reads {Redaction.Replacement} wherever the recording has the command line or a variable. It sees the command as one line, and NAME=VALUE. Repeatable. Not for dumps, which hold all memory.",
        HelpName = "PATTERN",
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<KeptFiles> _programFiles = new Option<KeptFiles>("--program-files")
    {
        Description = "The program's own files that are copied into the recording, so that it can be read after the next build and on another machine: source (assemblies with a PDB, their PDBs, source files in which time was spent), assemblies, none.",
        HelpName = "source|assemblies|none",
        DefaultValueFactory = _ => KeptFiles.Source,
    }.ByName();

    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Print what would be recorded, record nothing." };
    private readonly Option<bool> _noAnalyze = new("--no-analyze") { Description = "Do not read the recording: no table, no report.html." };
    private readonly Option<bool> _noReport = new("--no-report") { Description = "Do not write report.html into the recording's folder." };
    private readonly Option<ReportFormat> _format = new Option<ReportFormat>("--format", "-f") { Description = "Format of the table.", HelpName = "table|csv|json|markdown" }.ByName();

    /// <summary>What was said of the sampler: recordings of several runtimes plan it anew.</summary>
    private string _samplerNote = "";

    /// <summary>Makes the options.</summary>
    /// <param name="etw">Whether --sessions may name a tool that records by ETW.</param>
    public RecordingOptionSet(bool etw = false)
    {
        string[] known = [.. s_sessionNames, .. etw ? EtwTools.Names : []];
        _sessions.CustomParser = result => [.. result.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)).SelectMany(name => Named(name)).Distinct()];
        _sessions.Validators.Add(result =>
        {
            var names = result.GetValueOrDefault<string[]>();
            if (etw && names.Length == 1 && EtwTools.TryParse(names[0], out _))
                return;
            foreach (var name in names.Where(name => !s_sessionNames.Contains(name)))
            {
                if (EtwTools.TryParse(name, out _))
                    result.AddError($"'{name}' records all of it", etw ? "name it alone" : "use it with 'record', it is not for 'attach'");
                else
                    result.AddError($"there is no session '{name}'", NameChoice.Advice(name, known));
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
                    result.AddError($"'{token.Value}' is no regular expression: {exception.Message.TrimEnd('.')}", "give one, for example --redact '(?<=--password.)\\S+'");
                }
            }
        });
        _sampleRate.Validators.Add(result =>
        {
            if (result.Has<int>(value => value is < 1 or > 100_000))
                result.AddError($"{result.Tokens[0].Value} samples a second cannot be taken", "choose from 1 to 100000");
        });
        _stackDump.Validators.Add(result =>
        {
            if (result.Has<int>(bytes => bytes is < 8 or > PerfEventPlan.LargestStackDumpBytes || bytes % 8 != 0))
                result.AddError($"{result.Tokens[0].Value} bytes of stack cannot be taken", $"choose a multiple of 8 from 8 to {PerfEventPlan.LargestStackDumpBytes}; --no-stack-dump takes none");
        });
    }

    /// <summary>What is hidden in the recording.</summary>
    public Redaction Hiding(ParseResult parsed) => parsed.GetValue(_redact) is { Length: > 0 } patterns ? new Redaction([.. patterns.Select(Redaction.Parse)]) : Redaction.None;

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[_out, _sessions, _alloc, _sampler, _sampleRate, _stackDump, _noStackDump, _noSwitchStacks, _noInlineInfo, _noRequests, _startup, _systemWide, _redact, _programFiles, _dryRun, _noAnalyze, _noReport, _format])
            command.Options.Add(option.InGroup(HelpGroups.Recorded));
        foreach (var option in (Option[])[_out, _redact, _programFiles, _dryRun, _noAnalyze, _noReport, _format])
            option.InGroup(HelpGroups.Output);
        command.Check(result =>
        {
            if (result.GetValue(_systemWide) && result.GetResult(_sessions) is { Implicit: false } given && !given.GetValueOrDefault<string[]>().Contains(PerfEventPlan.SessionName))
                result.AddError($"--system-wide: all processes are recorded by the session '{PerfEventPlan.SessionName}', which --sessions leaves out", $"add {PerfEventPlan.SessionName} to --sessions, or leave out --system-wide");
        });
    }

    /// <summary>The option by which nothing is recorded.</summary>
    public Option DryRun => _dryRun;

    /// <summary>Whether a command line, which may have errors elsewhere, names a tool that records by ETW.</summary>
    public bool NamesTool(ParseResult parsed) => parsed.GetResult(_sessions) is { Implicit: false, Tokens: [var name] } && ToolOf([.. Named(name.Value)]) is not null;

    /// <summary>Folder of the recording.</summary>
    public string Folder(ParseResult parsed) =>
        parsed.GetValue(_out) ?? Path.Combine(RecordCommand.DefaultParent, DateTime.Now.ToString("yyyy-MM-dd_HH-mm-ss", CultureInfo.InvariantCulture));

    /// <summary>Where the recording goes, for messages.</summary>
    public string FolderGiven(ParseResult parsed) => parsed.GetValue(_out) ?? RecordCommand.DefaultParent;

    /// <summary>Format of the table.</summary>
    public ReportFormat Format(ParseResult parsed) => parsed.GetValue(_format);

    /// <summary>The tool that records by ETW, null when none was named.</summary>
    public EtwTool? Tool(ParseResult parsed) => ToolOf(parsed.GetValue(_sessions));

    /// <summary>The tool that records by ETW, null when none was named.</summary>
    public EtwTool? Tool(CommandResult command) => ToolOf(command.GetValue(_sessions));

    /// <summary>Options that were given and mean nothing to ETW.</summary>
    public IEnumerable<string> GivenForOtherSystems(CommandResult command) =>
        ((Option[])[_sampler, _sampleRate, _stackDump, _noStackDump, _noSwitchStacks, _noRequests, _systemWide, _redact]).Where(option => command.GetResult(option) is { Implicit: false }).Select(option => option.Name);

    /// <summary>Allocation events of a recording by ETW, which takes them on demand only.</summary>
    public AllocationEvents EtwAllocation(ParseResult parsed) => parsed.GetValue(_alloc).Resolve(isOwnProgram: false);

    /// <summary>Whether what was inlined where is recorded.</summary>
    public bool InlineInfo(ParseResult parsed) => !parsed.GetValue(_noInlineInfo);

    /// <summary>Events of first calls, null when that was left to what is recorded.</summary>
    public StartupEvents? Startup(ParseResult parsed) => parsed.GetValue(_startup) switch
    {
        StartupChoice.None => StartupEvents.None,
        StartupChoice.Assemblies => StartupEvents.Assemblies,
        StartupChoice.All => StartupEvents.All,
        _ => null,
    };

    /// <summary>Whether nothing is to be recorded.</summary>
    public bool IsDryRun(ParseResult parsed) => parsed.GetValue(_dryRun);

    /// <summary>Whether the table is wanted.</summary>
    public bool IsAnalyzed(ParseResult parsed) => !parsed.GetValue(_noAnalyze);

    /// <summary>Whether the page is wanted; without the table it is not.</summary>
    public bool HasPage(ParseResult parsed) => IsAnalyzed(parsed) && !parsed.GetValue(_noReport);

    /// <summary>What is kept of the program's files.</summary>
    public KeptFiles Kept(ParseResult parsed) => parsed.GetValue(_programFiles);

    /// <summary>The sessions to open in each recorded process.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="hasFirstCalls">Whether what is recorded makes first calls.</param>
    /// <param name="sampler">What takes the CPU samples.</param>
    /// <param name="isOwnProgram">Whether the recorded program is not the built-in suite.</param>
    public IReadOnlyList<PlannedSession> PlanRuntime(ParseResult parsed, bool hasFirstCalls, CpuSampler sampler, bool isOwnProgram)
    {
        var startup = Startup(parsed) ?? (hasFirstCalls ? StartupEvents.All : StartupEvents.None);
        return EventPipePlan.Create(parsed.GetValue(_sessions)!, parsed.GetValue(_alloc).Resolve(isOwnProgram), sampler == CpuSampler.EventPipe, !parsed.GetValue(_noInlineInfo), startup, inlineeTypes: !isOwnProgram, requests: isOwnProgram && !parsed.GetValue(_noRequests));
    }

    /// <summary>Chooses what takes the CPU samples, and says it where it is not the best way.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="scope">Which threads are covered unless all processes are asked for.</param>
    /// <param name="stackDumpBytes">Bytes of stack in a sample unless the command line says how many.</param>
    /// <param name="hasRuntime">Whether EventPipe can record at all: without it and without a kernel session there is no recording, of which the caller says why.</param>
    /// <param name="isOwnProgram">Whether a program of the user's own is recorded: its context switches get stacks. The suite measures threads that compute.</param>
    /// <exception cref="SamplerException">The sampler that is asked for is not possible here.</exception>
    /// <exception cref="PerfEventException">All processes are asked for and may not be recorded.</exception>
    public SamplerChoice ChooseSampler(ParseResult parsed, PerfEventScope scope, int stackDumpBytes = PerfEventPlan.DefaultStackDumpBytes, bool hasRuntime = true, bool isOwnProgram = false)
    {
        var sampler = parsed.GetValue(_sampler);
        if (!parsed.GetValue(_sessions)!.Contains(PerfEventPlan.SessionName))
            return new SamplerChoice(sampler == CpuSampler.EventPipe ? sampler : CpuSampler.None, null, "");
        var choice = SamplerLadder.Choose(
            sampler,
            parsed.GetValue(_systemWide) ? PerfEventScope.SystemWide : scope,
            parsed.GetValue(_sampleRate),
            parsed.GetValue(_noStackDump) ? 0 : parsed.GetResult(_stackDump) is { Implicit: false } ? parsed.GetValue(_stackDump) : isOwnProgram ? PerfEventPlan.ProgramStackDumpBytes : stackDumpBytes,
            PtraceRole.Command(typeof(RecordingOptionSet).Assembly.Location),
            isOwnProgram && !parsed.GetValue(_noSwitchStacks) ? PerfEventPlan.DefaultSwitchStackBytes : 0);
        if (choice.Note.Length > 0 && choice.Note != _samplerNote && (hasRuntime || choice.Plan is not null))
            parsed.Messages().Note(choice.Note);
        _samplerNote = choice.Note;
        return choice;
    }

    /// <summary>The sessions that a text chooses, else the tools; the text itself when it chooses nothing.</summary>
    private static IReadOnlyList<string> Named(string text) =>
        NameChoice.Find(text, s_sessionNames) is { Count: > 0 } sessions ? sessions : NameChoice.Find(text, EtwTools.Names) is { Count: > 0 } tools ? tools : [text];

    private static EtwTool? ToolOf(string[]? sessions) => sessions is [var name] && EtwTools.TryParse(name, out var tool) ? tool : null;
}
