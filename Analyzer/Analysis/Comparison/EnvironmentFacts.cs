using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>Facts of an environment that affect times, by their names in text output; a value is empty when unknown.</summary>
public static class EnvironmentFacts
{
    /// <summary>Settings of the suite's runs that affect times, by their names in environment.json and in text output.</summary>
    private static readonly (string Key, string Name)[] s_settings =
    [
        ("serverGc", "server GC"),
        ("concurrentGc", "concurrent GC"),
        ("latencyMode", "GC latency mode"),
        ("tieredCompilation", "tiered compilation"),
        ("tieredPgo", "tiered PGO"),
        ("readyToRun", "ReadyToRun code"),
        ("compilation", "compilation"),
        ("governor", "CPU frequency governor"),
    ];

    /// <summary>Facts that identify the machine. Times of different machines are not comparable.</summary>
    public static IReadOnlyList<string> Machine { get; } = ["machine", "architecture", "processor", "logical processors"];

    /// <summary>Facts of the machine and its sampler.</summary>
    public static IReadOnlyList<(string Name, Func<InputEnvironment, string> Value)> OfMachine { get; } =
    [
        ("machine", environment => environment.Machine),
        ("operating system", environment => environment.OperatingSystem),
        ("architecture", environment => environment.Architecture),
        ("processor", environment => environment.Cpu),
        ("CPU frequency", environment => Megahertz(environment.CpuMegahertz)),
        ("logical processors", environment => Known(environment.LogicalProcessors)),
        ("CPU sampler", environment => environment.Sampler),
    ];

    /// <summary>Facts of the recording and its runs.</summary>
    public static IReadOnlyList<(string Name, Func<InputEnvironment, string> Value)> OfRuns { get; } =
    [
        ("mode", environment => environment.Mode),
        ("esp-record", environment => environment.ToolVersion),
        .. s_settings.Select(setting =>
            (setting.Name, (Func<InputEnvironment, string>)(environment => Setting(environment.Suite, setting.Key)))
        ),
    ];

    /// <summary>Rounds to 50, because the kernel's values vary slightly between readings.</summary>
    private static string Megahertz(double? megahertz) =>
        megahertz is > 0 and var known ? ((int)(Math.Round(known / 50) * 50)).ToString(CultureInfo.InvariantCulture) + " MHz" : "";

    private static string Known(int count) => count > 0 ? count.ToString(CultureInfo.InvariantCulture) : "";

    private static string Setting(RunEnvironment? environment, string key) =>
        environment is { } known && known.Fields.TryGetProperty(key, out var value) && value.ValueKind != JsonValueKind.Null
            ? value.ToString()
            : "";
}
