using System.Globalization;
using System.Text.Json;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Etw;
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
        Compare("operating system", recording => recording.Host.OperatingSystem, header => $"Windows {header.OSVersion}");
        Compare("architecture", recording => recording.Host.Architecture);
        Compare("processor", recording => recording.Host.Cpu);
        Compare("CPU frequency", recording => Megahertz(recording.Host.CpuMegahertz), header => Megahertz(header.CpuMegahertz));
        Compare("logical processors", recording => Text(recording.Host.LogicalProcessors), header => Text(header.Processors));
        Add("sampling interval", SampleIntervals(baseline), SampleIntervals(other));
        Compare("mode", recording => recording.Mode);
        Compare("esp-record", recording => recording.ToolVersion);
        foreach (var (key, name) in s_settings)
            Compare(name, recording => Setting(recording.Environment, key));
        Add("runtime", baseline.Runtimes, other.Runtimes);
        return differences;

        void Compare(string what, Func<Recording, string> ofRecording, Func<EtlTraceHeader, string>? ofTrace = null) => Add(what, Values(baseline, ofRecording, ofTrace), Values(other, ofRecording, ofTrace));

        void Add(string what, IReadOnlyList<string> from, IReadOnlyList<string> to)
        {
            if (from.Count > 0 && to.Count > 0 && !from.SequenceEqual(to))
                differences.Add($"{what}: {string.Join(", ", from)} against {string.Join(", ", to)}");
        }
    }

    /// <summary>Clock of the first processor of a side's machine in MHz, as its recordings and traces tell; null when none does.</summary>
    public static double? Megahertz(ComparedSide side)
    {
        var known = side.Recordings.SelectMany(recording => recording.Input.Recordings).Select(recording => recording.Description.Host.CpuMegahertz ?? 0)
            .Concat(Headers(side).Select(header => (double)header.CpuMegahertz)).Where(megahertz => megahertz > 0).ToList();
        return known.Count > 0 ? known.Average() : null;
    }

    private static List<string> Values(ComparedSide side, Func<Recording, string> ofRecording, Func<EtlTraceHeader, string>? ofTrace) =>
    [
        .. side.Recordings.SelectMany(recording => recording.Input.Recordings).Select(recording => ofRecording(recording.Description))
            .Concat(ofTrace is null ? [] : Headers(side).Select(ofTrace)).Where(text => text.Length > 0).Distinct().Order(StringComparer.Ordinal),
    ];

    private static IEnumerable<EtlTraceHeader> Headers(ComparedSide side) =>
        side.Recordings.SelectMany(recording => recording.Input.Processes).SelectMany(process => process.Sources).OfType<EtwSource>().Select(source => source.Header).Distinct();

    /// <summary>CPU time of a sample, as the samples themselves have it.</summary>
    private static List<string> SampleIntervals(ComparedSide side) =>
    [
        .. side.Recordings.Select(recording => recording.Result.Runs.Where(run => run.Samples is { Count: > 0 }).ToList()).Where(runs => runs.Count > 0)
            .Select(runs => (runs.Sum(run => run.Samples!.CpuMs) / runs.Sum(run => run.Samples!.Count)).ToString("0.###", CultureInfo.InvariantCulture) + " ms").Distinct().Order(StringComparer.Ordinal),
    ];

    /// <summary>Rounded to 50: what the kernel tells moves by some from one reading to the next.</summary>
    private static string Megahertz(double? megahertz) => megahertz is > 0 and var known ? Text((int)(Math.Round(known / 50) * 50)) + " MHz" : "";

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Setting(RunEnvironment? environment, string key) =>
        environment is { } known && known.Fields.TryGetProperty(key, out var value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : "";
}
