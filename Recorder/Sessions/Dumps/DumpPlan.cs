using System.Globalization;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Plan of the dumps that are taken during a recording. Data only: printed by <c>--dry-run</c>, tested.</summary>
public sealed record DumpPlan
{
    /// <summary>Variable with the assemblies that a runtime loads before Main.</summary>
    public const string StartupHooks = "DOTNET_STARTUP_HOOKS";

    /// <summary>Default maximum number of dumps in a recording.</summary>
    public const int DefaultLimit = 3;

    /// <summary>Default maximum bytes of all dumps of a recording.</summary>
    public const long DefaultMaxBytes = 2_000_000_000;

    /// <summary>Disk space that dumps leave free, so that the traces can continue.</summary>
    public const long DefaultReserveBytes = 1_000_000_000;

    /// <summary>No dumps.</summary>
    public static DumpPlan None { get; } = new() { Triggers = [] };

    /// <summary>What triggers a dump; each trigger acts once per process.</summary>
    public required IReadOnlyList<DumpTrigger> Triggers { get; init; }

    /// <summary>Which part of the memory the dumps contain.</summary>
    public DumpKind Kind { get; init; } = DumpKind.Heap;

    /// <summary>Maximum number of dumps of all processes together.</summary>
    public int Limit { get; init; } = DefaultLimit;

    /// <summary>Maximum bytes of all dumps.</summary>
    public long MaxBytes { get; init; } = DefaultMaxBytes;

    /// <summary>Space that must stay free on their disk.</summary>
    public long ReserveBytes { get; init; } = DefaultReserveBytes;

    /// <summary>Time limit for writing a dump. A waiting thread is released after that.</summary>
    public TimeSpan TimeLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Returns the free bytes on a folder's disk; tests replace it.</summary>
    internal Func<string, long> FreeBytes { get; init; } = folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>The hook's assembly, beside the recorder.</summary>
    public static string HookPath { get; } = Path.Combine(AppContext.BaseDirectory, typeof(HookSettings).Assembly.GetName().Name + ".dll");

    /// <summary>Whether exceptions of a launched program hold their threads.</summary>
    public bool UsesHook => Triggers.Any(trigger => trigger.Kind == DumpTriggerKind.Exception);

    /// <summary>Why the hook cannot be used; empty when it can.</summary>
    /// <param name="path">The hook's assembly.</param>
    public static string HookProblem(string path)
    {
        ArgumentNullException.ThrowIfNull(path);

        // A runtime that cannot find a hook does not start its program.
        if (!File.Exists(path))
            return $"{path} is missing: reinstall esp-record";
        return path.Contains(Path.PathSeparator, StringComparison.Ordinal)
            ? $"{StartupHooks} cannot name {path}: the path contains '{Path.PathSeparator}'"
            : "";
    }

    /// <summary>
    /// The variable that makes a launched program's runtime load the hook; null when no hook is needed. The user's own value comes first.
    /// </summary>
    /// <param name="environment">Returns the value of a variable in the user's environment; null when it is not set.</param>
    public RuntimeVariable? HookVariable(Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        if (!UsesHook)
            return null;
        var own = environment(StartupHooks);
        return new RuntimeVariable(
            StartupHooks,
            string.IsNullOrEmpty(own) ? HookPath : $"{own}{Path.PathSeparator}{HookPath}",
            SetByUser: false,
            "threads are held at exceptions while a dump is written"
        );
    }

    /// <summary>Describes the plan in a few lines.</summary>
    /// <param name="attached">Whether the process is already running, so that it cannot load a hook.</param>
    public IEnumerable<string> Describe(bool attached)
    {
        if (Triggers.Count == 0)
            yield break;
        foreach (var trigger in Triggers)
        {
            var held =
                trigger.Kind != DumpTriggerKind.Exception ? ""
                : attached
                    ? "; no thread is held because the process is already running, so the dump shows it about 10 to 500 ms after the throw"
                : "; the thread is held until the dump is written";
            yield return $"dump at {trigger}: {trigger.Describe()}{held}";
        }

        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"dumps: {Kind.ToString().ToLowerInvariant()}, at most {Limit} and {MaxBytes / 1e6:0} MB in total; {ReserveBytes / 1e6:0} MB of the disk stay free; at most {TimeLimit.TotalSeconds:0.###} s each; one per trigger and process"
        );
    }
}
