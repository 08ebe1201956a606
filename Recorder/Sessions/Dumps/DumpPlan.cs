using System.Globalization;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Which dumps are taken while a program is recorded. Data only: printed by <c>--dry-run</c>, tested.</summary>
public sealed record DumpPlan
{
    /// <summary>Variable that names assemblies which a runtime loads before Main.</summary>
    public const string StartupHooks = "DOTNET_STARTUP_HOOKS";

    /// <summary>Dumps of a recording unless the user says otherwise.</summary>
    public const int DefaultLimit = 3;

    /// <summary>Bytes of all dumps of a recording unless the user says otherwise.</summary>
    public const long DefaultMaxBytes = 2_000_000_000;

    /// <summary>Space that dumps leave free on the disk: the traces go on.</summary>
    public const long DefaultReserveBytes = 1_000_000_000;

    /// <summary>No dumps.</summary>
    public static DumpPlan None { get; } = new() { Triggers = [] };

    /// <summary>What dumps are taken on; each once a process.</summary>
    public required IReadOnlyList<DumpTrigger> Triggers { get; init; }

    /// <summary>How much of the memory they have.</summary>
    public DumpKind Kind { get; init; } = DumpKind.Heap;

    /// <summary>Dumps of the recording at most, all processes together.</summary>
    public int Limit { get; init; } = DefaultLimit;

    /// <summary>Bytes of all of them at most.</summary>
    public long MaxBytes { get; init; } = DefaultMaxBytes;

    /// <summary>Space that must stay free on their disk.</summary>
    public long ReserveBytes { get; init; } = DefaultReserveBytes;

    /// <summary>How long one may take: a thread is held no longer.</summary>
    public TimeSpan TimeLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Free bytes of the disk a folder lies on; replaced by tests.</summary>
    internal Func<string, long> FreeBytes { get; init; } = folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>The hook's assembly, beside the recorder.</summary>
    public static string HookPath { get; } = Path.Combine(AppContext.BaseDirectory, typeof(HookSettings).Assembly.GetName().Name + ".dll");

    /// <summary>Whether threads of a launched program are held at exceptions.</summary>
    public bool UsesHook => Triggers.Any(trigger => trigger.Kind == DumpTriggerKind.Exception);

    /// <summary>Why the hook cannot be used; empty when it can.</summary>
    /// <param name="path">The hook's assembly.</param>
    public static string HookProblem(string path)
    {
        ArgumentNullException.ThrowIfNull(path);

        // A runtime that does not find a hook does not start its program.
        if (!File.Exists(path))
            return $"{path} is missing: install esp-record anew";
        return path.Contains(Path.PathSeparator, StringComparison.Ordinal) ? $"{StartupHooks} cannot name {path}: the path contains '{Path.PathSeparator}'" : "";
    }

    /// <summary>The variable that has a launched program's runtime load the hook; null when none is needed. What the user has set stays in front.</summary>
    /// <param name="environment">The user's environment: the value of a variable, null when it is not set.</param>
    public RuntimeVariable? HookVariable(Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        if (!UsesHook)
            return null;
        var own = environment(StartupHooks);
        return new RuntimeVariable(StartupHooks, string.IsNullOrEmpty(own) ? HookPath : $"{own}{Path.PathSeparator}{HookPath}", SetByUser: false, "threads are held at exceptions while a dump is written");
    }

    /// <summary>The plan for people, some lines.</summary>
    /// <param name="attached">Whether the process runs already, so that no hook can be loaded.</param>
    public IEnumerable<string> Describe(bool attached)
    {
        if (Triggers.Count == 0)
            yield break;
        foreach (var trigger in Triggers)
        {
            var held = trigger.Kind != DumpTriggerKind.Exception ? "" : attached ? "; the process runs already: no thread is held, the dump shows it some 10 to 500 ms after the throw" : "; the thread is held until it is written";
            yield return $"dump at {trigger}: {trigger.Describe()}{held}";
        }

        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"dumps: {Kind.ToString().ToLowerInvariant()}, at most {Limit} and {MaxBytes / 1e6:0} MB in all, {ReserveBytes / 1e6:0} MB of the disk stay free, {TimeLimit.TotalSeconds:0.###} s each; once a trigger and process");
    }
}
