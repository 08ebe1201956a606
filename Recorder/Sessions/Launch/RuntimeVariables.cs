using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Launch;

/// <summary>
/// Plans the environment variables that make a launched command's runtime record more than usual. Data only, like the plans of sessions:
/// printed by <c>--dry-run</c>, tested, stored in recording.json. Variables that the user's environment sets take precedence.
/// </summary>
public static class RuntimeVariables
{
    /// <summary>Makes the runtime keep and report inlined methods.</summary>
    public const string RichDebugInfo = "DOTNET_RichDebugInfo";

    /// <summary>
    /// Does the same for dynamic methods: compiled expressions inline lambdas of the program, and ASP.NET Core creates one per endpoint.
    /// </summary>
    public const string DynamicMethodDebugInfo = "DOTNET_TrackDynamicMethodDebugInfo";

    /// <summary>Whether the runtime uses precompiled code; 0 makes the JIT compile everything.</summary>
    public const string ReadyToRun = "DOTNET_ReadyToRun";

    /// <summary>
    /// Which files for perf the runtime writes: 2 is the jitdump alone, which has the bytes of all code, without a perf map
    /// (PerfMap::Enable of dotnet/runtime).
    /// </summary>
    public const string PerfMapEnabled = "DOTNET_PerfMapEnabled";

    /// <summary>How stubs are written there: 2 is one by one. Otherwise .NET 10 ends its jitdump at the first block of stubs.</summary>
    public const string PerfMapStubs = "DOTNET_PerfMapStubGranularity";

    /// <summary>Folder of these files.</summary>
    public const string PerfMapFolder = "DOTNET_PerfMapJitDumpPath";

    /// <summary>Additional command-line options for Mono, separated by blanks.</summary>
    public const string MonoOptions = "MONO_ENV_OPTIONS";

    /// <summary>Switches for Mono's debugging, separated by commas.</summary>
    public const string MonoDebug = "MONO_DEBUG";

    /// <summary>Folders that Mono searches for assemblies before its own.</summary>
    public const string MonoPath = "MONO_PATH";

    private const string Prefix = "DOTNET_";

    /// <summary>The older prefix, which runtimes still accept when the newer name is not set.</summary>
    private const string OldPrefix = "COMPlus_";

    /// <summary>Plans the variables.</summary>
    /// <param name="sessions">The planned sessions; without inline trees in them, the variables for inlining are not needed.</param>
    /// <param name="jitAll">Whether the runtime may not use precompiled code.</param>
    /// <param name="environment">Returns the value of a variable in the user's environment; null when it is not set.</param>
    /// <param name="dynamicMethods">Whether to keep inlined methods of dynamic methods, too.</param>
    public static IReadOnlyList<RuntimeVariable> Create(
        IReadOnlyList<PlannedSession> sessions,
        bool jitAll,
        Func<string, string?> environment,
        bool dynamicMethods = false
    )
    {
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(environment);
        var variables = new List<RuntimeVariable>();
        if (EventPipePlan.HasInlineTrees(sessions))
            variables.Add(Plan(RichDebugInfo, "1", "inlined methods are recorded", environment));
        if (dynamicMethods && EventPipePlan.HasInlineTrees(sessions))
            variables.Add(Plan(DynamicMethodDebugInfo, "1", "methods inlined into dynamic methods are recorded", environment));
        if (jitAll)
            variables.Add(
                Plan(ReadyToRun, "0", "precompiled code is not used: the JIT compiles everything, which slows the start-up", environment)
            );
        return variables;
    }

    /// <summary>Plans the variables with which the runtime writes the bytes of its code.</summary>
    /// <param name="folder">Folder of the recording.</param>
    /// <param name="environment">The user's environment: the value of a variable, null when it is not set.</param>
    public static IReadOnlyList<RuntimeVariable> CreateForCode(string folder, Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        return
        [
            Plan(PerfMapEnabled, "2", "the bytes of compiled code are written to jit-PID.dump", environment),
            Plan(PerfMapStubs, "2", "stubs are written one by one, else the dump of .NET 10 ends early", environment),
            Plan(PerfMapFolder, Path.GetFullPath(folder), "the dump is part of the recording", environment),
        ];
    }

    /// <summary>
    /// Plans the variables that Mono needs to be recorded. Each value is a list: the user's entries stay first, and missing ones are added.
    /// </summary>
    /// <param name="facades">Folder with facades that this Mono lacks; empty for none.</param>
    /// <param name="environment">Returns the value of a variable in the user's environment; null when it is not set.</param>
    /// <param name="precompiled">
    /// Whether Mono uses its precompiled code, as in users' first calls. Its frames cannot be unwound, but without it first calls take
    /// longer.
    /// </param>
    public static IReadOnlyList<RuntimeVariable> CreateForMono(string facades, Func<string, string?> environment, bool precompiled = false)
    {
        ArgumentNullException.ThrowIfNull(facades);
        ArgumentNullException.ThrowIfNull(environment);
        var variables = new List<RuntimeVariable>
        {
            precompiled
                ? Combine(
                    MonoOptions,
                    "--jitmap",
                    ' ',
                    "addresses and names of compiled methods are written to /tmp/perf-PID.map; callers of precompiled code are lost",
                    environment
                )
                : Combine(
                    MonoOptions,
                    "--jitmap -O=-aot",
                    ' ',
                    "addresses and names of compiled methods are written to /tmp/perf-PID.map; precompiled code is not used, because it keeps no frame pointers",
                    environment
                ),
            Combine(MonoDebug, "disable_omit_fp", ',', "compiled code keeps frame pointers, which stack walks need", environment),
        };
        if (facades.Length > 0)
            variables.Add(
                Combine(MonoPath, facades, Path.PathSeparator, "netstandard.dll and other facades, which this Mono lacks", environment)
            );
        return variables;
    }

    /// <summary>Whether an environment enables inline trees.</summary>
    /// <param name="environment">Returns the value of a variable; null when it is not set.</param>
    public static bool TellsInlining(Func<string, string?> environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        return Find(RichDebugInfo, environment) is ({ } value, _) && value.TrimStart('0').Length > 0;
    }

    private static RuntimeVariable Combine(string name, string entry, char separator, string purpose, Func<string, string?> environment)
    {
        var own = environment(name) ?? "";
        var missing = entry.Split(separator).Except(own.Split(separator)).ToList();
        return missing.Count == 0
            ? new RuntimeVariable(name, own, SetByUser: true, purpose)
            : new RuntimeVariable(
                name,
                string.Join(separator, own.Length == 0 ? missing : missing.Prepend(own)),
                SetByUser: false,
                purpose
            );
    }

    private static RuntimeVariable Plan(string name, string value, string purpose, Func<string, string?> environment) =>
        Find(name, environment) is ({ } own, { } ownName)
            ? new RuntimeVariable(ownName, own, SetByUser: true, purpose)
            : new RuntimeVariable(name, value, SetByUser: false, purpose);

    private static (string? Value, string? Name) Find(string name, Func<string, string?> environment)
    {
        foreach (var candidate in (string[])[name, OldPrefix + name[Prefix.Length..]])
        {
            if (environment(candidate) is { Length: > 0 } value)
                return (value, candidate);
        }

        return default;
    }
}
