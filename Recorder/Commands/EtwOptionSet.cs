using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>The options of ETW sessions (<c>--sessions traceevent|xperf|tracelog|wpr</c>).</summary>
internal sealed class EtwOptionSet
{
    private const int UnitsPerMs = 10_000;

    private readonly Option<EtwPurpose> _preset = new Option<EtwPurpose>("--preset")
    {
        Description =
            "ETW: purpose of the sessions. runs: CPU samples, context switches, GCs, JIT, exceptions, locks; allocation: allocation events with stacks; firstcall: also registry accesses and assembly binds; exceptions: only stacks of thrown exceptions.",
        HelpName = "runs|allocation|firstcall|exceptions",
    }.ByName();

    private readonly Option<double> _sampleInterval = new("--sample-interval")
    {
        Description = "ETW: ms between two CPU samples of a processor, 0.1221 to 1000. The interval applies to the whole machine.",
        HelpName = "MS",
        DefaultValueFactory = _ => 1,
    };

    private readonly Option<string?> _stackFilter = new("--stack-filter")
    {
        Description = "ETW: which events of the runtime carry stacks, by id: in:80 (only thrown exceptions) or out:10,9. Not xperf.",
        HelpName = "in:IDS|out:IDS",
    };
    private readonly Option<string?> _eventFilter = new("--event-filter")
    {
        Description = "ETW: which events of the runtime are recorded, by id: in:… or out:… Not xperf.",
        HelpName = "in:IDS|out:IDS",
    };
    private readonly Option<string?> _kernelEvents = new Option<string?>("--kernel-events") { HelpName = "A,B" }.DescribedBy(static () =>
        $"ETW: kernel events beside those of the preset: {string.Join(", ", KernelEventNames.All.Select(name => name.Flag))}."
    );

    private readonly Option<bool> _ntKernelLogger = new("--nt-kernel-logger")
    {
        Description =
            "ETW: use the NT Kernel Logger, which exists only once, even where the tool could start its own kernel session (Windows 8 and later).",
    };
    private readonly Option<bool> _singleSession = new("--single-session")
    {
        Description =
            "ETW: one session for the runtime at level Verbose instead of two. A filter drops the allocation ticks of that level unless --alloc ticks asks for them.",
    };
    private readonly Option<bool> _lines = new("--lines")
    {
        Description =
            "ETW: record the source lines of jitted code, also of processes that esp-record does not start and of .NET Framework; without it only programs that it starts on .NET have lines.",
    };
    private readonly Option<bool> _ngenPdbs = new("--ngen-pdbs")
    {
        Description = "ETW: create PDB files for .NET Framework's precompiled images at the end, so that their methods have names.",
    };
    private readonly Option<bool> _compress = new("--compress") { Description = "ETW: compress the merged file." };

    private readonly Option<double> _rundownWait = new("--rundown-wait")
    {
        Description = "ETW: seconds to wait at the end until running processes have written the names of their methods; 0 skips this.",
        HelpName = "SECONDS",
        DefaultValueFactory = _ => new EtwPlanOptions().RundownWait.TotalSeconds,
    };

    /// <summary>Every option of the set.</summary>
    public IReadOnlyList<Option> All =>
        [
            _preset,
            _sampleInterval,
            _stackFilter,
            _eventFilter,
            _kernelEvents,
            _ntKernelLogger,
            _singleSession,
            _lines,
            _ngenPdbs,
            _compress,
            _rundownWait,
        ];

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in All)
            command.Options.Add(option.InGroup(HelpGroups.Etw));
        _kernelEvents.CompleteList(() => KernelEventNames.All.Select(name => name.Flag));
        _sampleInterval.Validators.Add(result =>
        {
            if (result.Has<double>(value => Units(value) is < EtwKernelSession.MinSampleInterval or > EtwKernelSession.MaxSampleInterval))
                result.AddError($"samples cannot be taken every {result.Tokens[0].Value} ms", "choose from 0.1221 to 1000");
        });
        _rundownWait.Validators.Add(result =>
        {
            if (result.Has<double>(value => value is not (>= 0 and <= 600)))
                result.AddError($"{result.Tokens[0].Value} is not a valid number of seconds", "choose from 0 to 600");
        });
        foreach (var option in (Option<string?>[])[_stackFilter, _eventFilter])
        {
            option.Validators.Add(result =>
            {
                if (result.GetValueOrDefault<string?>() is { } text && !EtwEventFilter.TryParse(text, out _, out var error))
                    result.AddError(error, $"write {option.Name} in:80, or out:10,9, with ids of events");
            });
        }

        _kernelEvents.Validators.Add(result =>
            result.RefuseUnknown(
                Flags(result.GetValueOrDefault<string?>()),
                "kernel event",
                [.. KernelEventNames.All.Select(name => name.Flag)]
            )
        );
    }

    /// <summary>Names of the options that the command line has.</summary>
    public IEnumerable<string> Given(CommandResult command) =>
        All.Where(option => command.GetResult(option) is { Implicit: false }).Select(option => option.Name);

    /// <summary>The plan options that the command line chooses.</summary>
    public EtwPlanOptions PlanOptions(ParseResult parsed, RecordingOptionSet recording, ModeOptions mode) =>
        new()
        {
            Purpose = parsed.GetValue(_preset),
            Mode = mode.Mode(parsed),
            SampleInterval = Units(parsed.GetValue(_sampleInterval)),
            MoreKernelEvents = Flags(parsed.GetValue(_kernelEvents))
                .Aggregate(KernelEvents.None, (events, flag) => events | KernelEventNames.Find(flag)),
            NtKernelLogger = parsed.GetValue(_ntKernelLogger),
            Allocation = recording.EtwAllocation(parsed),
            Startup = recording.Startup(parsed),
            InlineInfo = recording.InlineInfo(parsed),
            SingleSession = parsed.GetValue(_singleSession),
            StackFilter = Filter(parsed.GetValue(_stackFilter)),
            EventFilter = Filter(parsed.GetValue(_eventFilter)),
            RundownWait = TimeSpan.FromSeconds(parsed.GetValue(_rundownWait)),
            Lines = parsed.GetValue(_lines),
            NgenPdbs = parsed.GetValue(_ngenPdbs),
            Compress = parsed.GetValue(_compress),
        };

    private static int Units(double ms) => double.IsFinite(ms) && ms is > 0 and < 1e6 ? (int)Math.Round(ms * UnitsPerMs) : 0;

    private static string[] Flags(string? list) =>
        list?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];

    private static EtwEventFilter? Filter(string? text) =>
        text is not null && EtwEventFilter.TryParse(text, out var filter, out _) ? filter : null;
}
