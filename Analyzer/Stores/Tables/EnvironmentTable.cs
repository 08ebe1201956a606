using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>Table <c>environment</c>.</summary>
public static class EnvironmentTable
{
    /// <summary>The table.</summary>
    public static StoreTable<StoredEnvironment> Table { get; } =
        new(
            "environment",
            "Tools and machine of a recording: one row for each recording of the trace",
            [
                new("label", "Label of the recording among several of an index; empty when there is only one", row => row.Label),
                new("machine", "Name of the machine", row => row.Host?.MachineName ?? ""),
                new("machine_class", "Class of machines with comparable times", row => row.MachineClass),
                new("os", "Operating system", row => row.OperatingSystem),
                new("architecture", "Architecture", row => row.Host?.Architecture ?? ""),
                new("cpu", "Model of the processor", row => row.Host?.Cpu ?? ""),
                new("cpu_mhz", "Frequency of the first processor", row => row.CpuMegahertz),
                new("processors", "Logical processors", row => row.Processors),
                new("memory_bytes", "Physical memory, or the container's limit", row => row.Host?.MemoryBytes),
                new("last_level_cache_bytes", "Size of the first processor's last-level cache", row => row.Host?.LastLevelCacheBytes),
                new("tool_version", "Version of esp-record", row => row.Description?.ToolVersion ?? ""),
                new("mode", "file, circular:SIZE, or --max-size SIZE", row => row.Description?.Mode ?? ""),
                new(
                    "command",
                    "Recorded command line",
                    row => row.Description is { } recording ? string.Join(' ', recording.Command) : null,
                    isNullable: true
                ),
                new(
                    "complete",
                    "1; 0 when the recording ended early; null when unknown",
                    row => row.Description is { } recording ? (recording.Complete ? 1L : 0L) : (long?)null
                ),
                new("server_gc", "Whether server GC was used", row => row.Setting("serverGc"), isNullable: true),
                new("concurrent_gc", "Whether background GCs were enabled", row => row.Setting("concurrentGc"), isNullable: true),
                new("latency_mode", "Latency mode of the GC", row => row.Setting("latencyMode"), isNullable: true),
                new("tiered_compilation", "Tiered compilation", row => row.Setting("tieredCompilation"), isNullable: true),
                new("tiered_pgo", "Tiered PGO", row => row.Setting("tieredPgo"), isNullable: true),
                new("ready_to_run", "Whether precompiled code was used", row => row.Setting("readyToRun"), isNullable: true),
                new("governor", "Frequency governor of the processors", row => row.Setting("governor"), isNullable: true),
                new("lost_events", "Lost events", row => row.Facts.LostEvents),
                new("planned_runs", "Runs that the benchmark planned; 0 when unknown", row => row.Facts.PlannedRuns),
                new("recording_json", "The recording's recording.json", row => row.RecordingJson, isNullable: true),
                new("environment_json", "The recording's environment.json", row => row.EnvironmentJson, isNullable: true),
            ]
        );
}

/// <summary>Tools and machine of a recording: one row for each recording of a trace, one for a bare file.</summary>
public sealed record StoredEnvironment
{
    /// <summary>Label of the recording among several of an index; empty when there is only one.</summary>
    public string Label { get; init; } = "";

    /// <summary>The machine; null when unknown.</summary>
    public RecordingHost? Host { get; init; }

    /// <summary>Operating system of a Windows trace without a recording; otherwise that of <see cref="Host"/>.</summary>
    public string OperatingSystem { get; init; } = "";

    /// <summary>Logical processors; null when unknown.</summary>
    public int? Processors { get; init; }

    /// <summary>Frequency of the first processor in MHz; null when unknown.</summary>
    public double? CpuMegahertz { get; init; }

    /// <summary>Class of machines with comparable times; empty when unknown.</summary>
    public string MachineClass { get; init; } = "";

    /// <summary>Facts about the recording as a whole.</summary>
    public required RecordingFacts Facts { get; init; }

    /// <summary>Content of recording.json; null without one.</summary>
    public string? RecordingJson { get; init; }

    /// <summary>Content of environment.json; null without one.</summary>
    public string? EnvironmentJson { get; init; }

    /// <summary>The description in <see cref="RecordingJson"/>; null without one.</summary>
    public Recording? Description { get; init; }

    /// <summary>A setting of the suite's runs by its name in environment.json; null when missing.</summary>
    internal string? Setting(string key) =>
        Description?.Environment is { } known
        && known.Fields.TryGetProperty(key, out var value)
        && value.ValueKind != System.Text.Json.JsonValueKind.Null
            ? value.ToString()
            : null;
}
