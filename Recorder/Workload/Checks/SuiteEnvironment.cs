using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Checks;

/// <summary>
/// Environment of the runs of this process: everything that decides whether two tables are comparable. Null means that the system does not
/// provide the value.
/// </summary>
public sealed record SuiteEnvironment
{
    /// <summary>Name of the file beside the run CSV.</summary>
    public const string FileName = "environment.json";

    /// <summary>File with the CPU frequency governor on Linux.</summary>
    private const string GovernorFile = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

    /// <summary>Runtime with version.</summary>
    public string Runtime { get; init; } = SuiteRuntime.Name;

    /// <summary>Architecture of the process, for example X64.</summary>
    public string Architecture { get; init; } = RuntimeInformation.ProcessArchitecture.ToString();

    /// <summary>Processors the process can use.</summary>
    public int Processors { get; init; } = Environment.ProcessorCount;

    /// <summary>CPU frequency governor of the first processor, for example performance.</summary>
    public string? Governor { get; init; }

    /// <summary>Resolution of the runs' clock, in ns.</summary>
    public double ClockNanoseconds { get; init; } = 1e9 / System.Diagnostics.Stopwatch.Frequency;

    /// <summary>Whether the server collector is used.</summary>
    public bool ServerGc { get; init; } = GCSettings.IsServerGC;

    /// <summary>Whether full GCs can run in the background; null on Mono, which does not report it.</summary>
    public bool? ConcurrentGc { get; init; } = SuiteRuntime.IsMono ? null : GCSettings.LatencyMode != GCLatencyMode.Batch;

    /// <summary>Latency mode of the collector.</summary>
    public string LatencyMode { get; init; } = GCSettings.LatencyMode.ToString();

    /// <summary>Whether code is compiled in tiers; null for runtimes without tiers.</summary>
    public bool? TieredCompilation { get; init; }

    /// <summary>Whether the first tiers collect a profile; null for runtimes without tiers.</summary>
    public bool? TieredPgo { get; init; }

    /// <summary>Whether precompiled (ReadyToRun) code is used; null for runtimes without such code.</summary>
    public bool? ReadyToRun { get; init; }

    /// <summary>Whether the suite itself is precompiled.</summary>
    public bool? SuiteIsPrecompiled { get; init; } = ManagedCode.IsReadyToRun(typeof(SuiteEnvironment).Assembly);

    /// <summary>Libraries of the serializers that are precompiled.</summary>
    public IReadOnlyList<string> PrecompiledLibraries { get; init; } = [];

    /// <summary>Libraries of the serializers whose code the JIT compiles.</summary>
    public IReadOnlyList<string> JitLibraries { get; init; } = [];

    /// <summary>Seed of the order of serializers; <see cref="SuiteOptions.NoSeed"/> for the order of the list.</summary>
    public int Seed { get; init; }

    /// <summary>Describes the environment in two lines.</summary>
    public IReadOnlyList<string> Lines =>
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Runtime} ({SuiteRuntime.Label}), {Architecture}, {Plural.Of(Processors, "processor")}, governor {Governor ?? "unknown"}, clock {ClockNanoseconds:0.###} ns, order of serializers {(Seed == SuiteOptions.NoSeed ? "as listed" : Invariant($"by {SuiteOptionSet.SeedName} {Seed}"))}"
            ),
            string.Create(
                CultureInfo.InvariantCulture,
                $"GC {(ServerGc ? "server" : "workstation")}, {ConcurrentGc switch { true => "concurrent", false => "not concurrent", _ => "concurrent unknown" }}, latency {LatencyMode}; TieredCompilation {OnOff(TieredCompilation)}, TieredPGO {OnOff(TieredPgo)}, ReadyToRun {OnOff(ReadyToRun)}; precompiled: {Precompiled}"
            ),
        ];

    private string Precompiled =>
        SuiteRuntime.IsNativeAot
            ? "suite and libraries in one program (NativeAOT)"
            : $"suite {YesNo(SuiteIsPrecompiled)}, libraries {Libraries}";

    private string Libraries =>
        (PrecompiledLibraries.Count, JitLibraries.Count) switch
        {
            (0, 0) => "unknown",
            (_, 0) => "all",
            (0, _) => "none",
            _ => $"all but {string.Join(", ", JitLibraries)}",
        };

    /// <summary>Reads the environment of this process.</summary>
    /// <param name="serializers">The participating serializers.</param>
    /// <param name="seed">Seed of their order.</param>
    public static SuiteEnvironment Read(IReadOnlyList<SerializerDescription> serializers, int seed)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        var libraries = serializers
            .Select(serializer => serializer.LibraryAssembly)
            .Distinct()
            .ToLookup(ManagedCode.IsReadyToRun, assembly => assembly.GetName().Name ?? "");
        return new SuiteEnvironment
        {
            Governor = ReadGovernor(GovernorFile),
            TieredCompilation = RuntimeSwitch("TieredCompilation", "System.Runtime.TieredCompilation"),
            TieredPgo = RuntimeSwitch("TieredPGO", "System.Runtime.TieredPGO"),
            ReadyToRun = RuntimeSwitch("ReadyToRun", "System.Runtime.ReadyToRun"),
            PrecompiledLibraries = [.. libraries[true].OrderBy(name => name, StringComparer.Ordinal)],
            JitLibraries = [.. libraries[false].OrderBy(name => name, StringComparer.Ordinal)],
            Seed = seed,
        };
    }

    /// <summary>Reads a file of the CPU's frequency scaling; null when it does not exist, as in most virtual machines.</summary>
    public static string? ReadGovernor(string file)
    {
        try
        {
            return File.ReadAllText(file).Trim() is { Length: > 0 } governor ? governor : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Writes the environment as JSON and replaces the file atomically.</summary>
    /// <remarks>Uses no JSON library, because the libraries are what is measured.</remarks>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path)
    {
        var fields = new (string Name, string Json)[]
        {
            ("schema", "1"),
            ("lines", Json(Lines)),
            ("runtime", Json(Runtime)),
            ("runtimeLabel", Json(SuiteRuntime.Label)),
            ("architecture", Json(Architecture)),
            ("processors", Invariant($"{Processors}")),
            ("governor", Json(Governor)),
            ("clockNanoseconds", Invariant($"{ClockNanoseconds:R}")),
            ("serverGc", Json(ServerGc)),
            ("concurrentGc", Json(ConcurrentGc)),
            ("latencyMode", Json(LatencyMode)),
            ("tieredCompilation", Json(TieredCompilation)),
            ("tieredPgo", Json(TieredPgo)),
            ("readyToRun", Json(ReadyToRun)),
            ("compilation", Json(SuiteRuntime.IsNativeAot ? "ahead of time (NativeAOT), without tiers and dynamic PGO" : "by the JIT")),
            ("suiteIsPrecompiled", Json(SuiteIsPrecompiled)),
            ("precompiledLibraries", Json(PrecompiledLibraries)),
            ("jitLibraries", Json(JitLibraries)),
            ("seed", Invariant($"{Seed}")),
        };
        var temporary = path + ".tmp";
        File.WriteAllText(temporary, "{\n" + string.Join(",\n", fields.Select(field => $"  \"{field.Name}\": {field.Json}")) + "\n}\n");
        File.Delete(path);
        File.Move(temporary, path);
    }

    /// <summary>
    /// A switch of the runtime: the environment overrides the runtime configuration, and each switch is on by default. Null for runtimes
    /// without it.
    /// </summary>
    private static bool? RuntimeSwitch(string variable, string setting)
    {
        if (!SuiteRuntime.IsNet || SuiteRuntime.IsNativeAot)
            return null;
        if (
            (Environment.GetEnvironmentVariable("DOTNET_" + variable) ?? Environment.GetEnvironmentVariable("COMPlus_" + variable)) is
            { Length: > 0 } value
        )
            return value.Trim() != "0";
        return !AppContext.TryGetSwitch(setting, out var isOn) || isOn;
    }

    private static string OnOff(bool? value) =>
        value switch
        {
            true => "on",
            false => "off",
            _ => "-",
        };

    private static string YesNo(bool? value) =>
        value switch
        {
            true => "yes",
            false => "no",
            _ => "unknown",
        };

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static string Json(bool? value) =>
        value switch
        {
            true => "true",
            false => "false",
            _ => "null",
        };

    private static string Json(IEnumerable<string> values) => $"[{string.Join(", ", values.Select(value => Json(value)))}]";

    private static string Json(string? value) => JsonText.Of(value);
}
