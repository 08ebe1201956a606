using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>What a trace was recorded with and on: a row for each recording of it, one for a bare file.</summary>
public sealed record StoredEnvironment
{
    /// <summary>Label of the recording among several of an index, empty when there is one.</summary>
    public string Label { get; init; } = "";

    /// <summary>The machine; null when the trace does not tell.</summary>
    public RecordingHost? Host { get; init; }

    /// <summary>Operating system of a Windows trace without a recording; else that of <see cref="Host"/>.</summary>
    public string OperatingSystem { get; init; } = "";

    /// <summary>Logical processors; null when unknown.</summary>
    public int? Processors { get; init; }

    /// <summary>Frequency of the first processor in MHz; null when unknown.</summary>
    public double? CpuMegahertz { get; init; }

    /// <summary>What makes times of machines comparable; empty when unknown.</summary>
    public string MachineClass { get; init; } = "";

    /// <summary>What is known of the recording as a whole.</summary>
    public required RecordingFacts Facts { get; init; }

    /// <summary>The text of recording.json; null without one.</summary>
    public string? RecordingJson { get; init; }

    /// <summary>The text of environment.json; null without one.</summary>
    public string? EnvironmentJson { get; init; }

    /// <summary>The description in <see cref="RecordingJson"/>; null without one.</summary>
    public Recording? Description { get; init; }

    /// <summary>A setting of the suite's runs by its name in environment.json; null when it does not tell.</summary>
    internal string? Setting(string key) =>
        Description?.Environment is { } known && known.Fields.TryGetProperty(key, out var value) && value.ValueKind != System.Text.Json.JsonValueKind.Null ? value.ToString() : null;
}
