using System.CommandLine;
using System.CommandLine.Parsing;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Options for when to take dumps and how large they may be.</summary>
internal sealed class DumpOptions
{
    private const long BytesPerMegabyte = 1_000_000;

    private readonly Option<string[]> _dumpOn = new("--dump-on")
    {
        Description =
            "Take a dump of the recorded process at the first (Nth) throw of an exception, optionally one whose message contains a text; when a GC pauses longer; when more memory is resident; "
            + "or when nothing happens for that many seconds. Quote values with a >. Repeatable; each acts once per process.",
        HelpName = "TYPE[~MESSAGE][:N]|gc-pause>MS|memory>MB|hang>S",
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<DumpKind> _dumpKind = new Option<DumpKind>("--dump-kind")
    {
        Description = "mini: stacks and exceptions; heap: also the managed heap; full: all memory.",
        HelpName = "mini|heap|full",
        DefaultValueFactory = _ => DumpKind.Heap,
    }.ByName();

    private readonly Option<int> _dumpLimit = new("--dump-limit")
    {
        Description = "Maximum number of dumps.",
        HelpName = "N",
        DefaultValueFactory = _ => DumpPlan.DefaultLimit,
    };

    private readonly Option<long> _dumpMaxSize = new("--dump-max-size")
    {
        Description =
            $"Maximum size of all dumps in MB; {DumpPlan.DefaultReserveBytes / BytesPerMegabyte} MB of the disk always stay free.",
        HelpName = "MB",
        DefaultValueFactory = _ => DumpPlan.DefaultMaxBytes / BytesPerMegabyte,
    };

    private readonly Option<double> _dumpTime = new("--dump-time")
    {
        Description = "Maximum seconds for writing a dump. A waiting thread is released after that.",
        HelpName = "SECONDS",
        DefaultValueFactory = _ => 60,
    };

    private Option[] Limits => [_dumpKind, _dumpLimit, _dumpMaxSize, _dumpTime];

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[_dumpOn, .. Limits])
            command.Options.Add(option.InGroup(HelpGroups.Dumps));
        _dumpOn.Validators.Add(result =>
        {
            foreach (var text in result.Tokens.Select(token => token.Value))
            {
                if (!DumpTrigger.TryParse(text, out _, out var error))
                    result.AddError(error, "write --dump-on TYPE, TYPE~MESSAGE, TYPE:N, 'gc-pause>MS', 'memory>MB' or 'hang>S'");
            }
        });
        _dumpLimit.Validators.Add(result =>
        {
            if (result.Has<int>(value => value is < 1 or > 1000))
                result.AddError($"{result.Tokens[0].Value} dumps cannot be taken", "choose from 1 to 1000");
        });
        _dumpMaxSize.Validators.Add(result =>
        {
            if (result.Has<long>(value => value is < 1 or > 10_000_000))
                result.AddError($"{result.Tokens[0].Value} MB cannot be kept", "choose from 1 to 10000000");
        });
        _dumpTime.Validators.Add(result =>
        {
            if (result.Has<double>(value => value is not (>= 1 and <= 3600)))
                result.AddError($"the time limit of a dump cannot be {result.Tokens[0].Value} seconds", "choose from 1 to 3600");
        });
        command.Check(result =>
        {
            if (!IsGiven(result) && Limits.FirstOrDefault(option => result.GetResult(option) is { Implicit: false }) is { } limit)
                result.AddError($"{limit.Name} applies to dumps, and no dump is requested", "add --dump-on");
        });
    }

    /// <summary>Whether the command line requests dumps.</summary>
    public bool IsGiven(CommandResult command) => command.GetResult(_dumpOn) is { Implicit: false };

    /// <summary>The plan that the command line requests.</summary>
    public DumpPlan Plan(ParseResult parsed)
    {
        var triggers = new List<DumpTrigger>();
        foreach (var text in parsed.GetValue(_dumpOn) ?? [])
        {
            if (DumpTrigger.TryParse(text, out var trigger, out _) && triggers.All(other => other.Text != text))
                triggers.Add(trigger!);
        }

        return triggers.Count == 0
            ? DumpPlan.None
            : new DumpPlan
            {
                Triggers = triggers,
                Kind = parsed.GetValue(_dumpKind),
                Limit = parsed.GetValue(_dumpLimit),
                MaxBytes = parsed.GetValue(_dumpMaxSize) * BytesPerMegabyte,
                TimeLimit = TimeSpan.FromSeconds(parsed.GetValue(_dumpTime)),
            };
    }

    /// <summary>Adds the requested dumps to the options of a launch.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">The options without dumps.</param>
    /// <param name="byEtw">Whether ETW records; then no hook is loaded.</param>
    /// <exception cref="IOException">The hook that holds threads cannot be loaded.</exception>
    public RecordOptions Apply(ParseResult parsed, RecordOptions options, bool byEtw)
    {
        var plan = Plan(parsed);
        if (byEtw)
            return options with { Dumps = plan };
        if (plan.HookVariable(Environment.GetEnvironmentVariable) is not { } variable)
            return options with { Dumps = plan };
        return DumpPlan.HookProblem(DumpPlan.HookPath) is { Length: > 0 } problem
            ? throw new ProblemException(
                new Problem(
                    problem,
                    $"--dump-on {string.Join(' ', parsed.GetValue(_dumpOn) ?? [])}",
                    "leave out dumps of exceptions, or reinstall esp-record"
                )
            )
            : options with
            {
                Dumps = plan,
                Variables = [.. options.Variables, variable],
            };
    }
}
