using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>What two sides ran on, where it is not the same.</summary>
internal static class EnvironmentDifferences
{
    /// <summary>Settings of the suite's runs that change times, by their names in environment.json and for people.</summary>
    private static readonly (string Key, string Name)[] s_settings =
    [
        ("serverGc", "server GC"), ("concurrentGc", "concurrent GC"), ("latencyMode", "GC latency mode"), ("tieredCompilation", "tiered compilation"), ("tieredPgo", "tiered PGO"),
        ("readyToRun", "ReadyToRun code"), ("governor", "CPU frequency governor"),
    ];

    /// <summary>Finds them.</summary>
    /// <returns>A sentence each, without a full stop.</returns>
    public static IReadOnlyList<string> Find(ComparedSide baseline, ComparedSide other)
    {
        var differences = new List<string>();
        Compare("machine", recording => recording.Host.MachineName);
        Compare("operating system", recording => recording.Host.OperatingSystem);
        Compare("architecture", recording => recording.Host.Architecture);
        Compare("processor", recording => recording.Host.Cpu);
        Compare("logical processors", recording => recording.Host.LogicalProcessors.ToString(CultureInfo.InvariantCulture));
        Compare("sampling", recording => recording.Kernel is { SampleRateHz: > 0 } kernel ? kernel.SampleRateHz.ToString(CultureInfo.InvariantCulture) + " Hz" : "none");
        Compare("mode", recording => recording.Mode);
        Compare("esp-record", recording => recording.ToolVersion);
        foreach (var (key, name) in s_settings)
            Compare(name, recording => Setting(recording.Environment, key));
        if (baseline.Runtimes.SequenceEqual(other.Runtimes))
            return differences;
        differences.Add($"runtime: {Names(baseline.Runtimes)} against {Names(other.Runtimes)}");
        return differences;

        void Compare(string what, Func<Recording, string> value)
        {
            List<string> from = Values(baseline, value), to = Values(other, value);
            if (from.Count > 0 && to.Count > 0 && !from.SequenceEqual(to))
                differences.Add($"{what}: {Names(from)} against {Names(to)}");
        }
    }

    private static List<string> Values(ComparedSide side, Func<Recording, string> value) =>
        [.. side.Recordings.SelectMany(recording => recording.Input.Recordings).Select(recording => value(recording.Description)).Where(text => text.Length > 0).Distinct().Order(StringComparer.Ordinal)];

    private static string Names(IReadOnlyList<string> values) => values.Count > 0 ? string.Join(", ", values) : "unknown";

    private static string Setting(RunEnvironment? environment, string key) =>
        environment is { } known && known.Fields.TryGetProperty(key, out var value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : "";
}
