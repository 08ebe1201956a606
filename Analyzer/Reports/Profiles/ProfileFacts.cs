using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>What is to be known of a recording, for the metadata of every format: where it is from, and what it lost.</summary>
public sealed record ProfileFacts
{
    /// <summary>Name and version of this tool.</summary>
    public required string Exporter { get; init; }

    /// <summary>Name of the recording or file.</summary>
    public required string Source { get; init; }

    /// <summary>When it began; null for bare files.</summary>
    public required DateTime? StartedUtc { get; init; }

    /// <summary>How long it took, in ms; null when unknown.</summary>
    public required double? DurationMs { get; init; }

    /// <summary>The recorded command; empty when unknown.</summary>
    public required string Command { get; init; }

    /// <summary>Operating system; empty when unknown.</summary>
    public required string OperatingSystem { get; init; }

    /// <summary>Processor; empty when unknown.</summary>
    public required string Cpu { get; init; }

    /// <summary>Logical processors; null when unknown.</summary>
    public required int? LogicalProcessors { get; init; }

    /// <summary>Versions of the runtimes.</summary>
    public required IReadOnlyList<string> Runtimes { get; init; }

    /// <summary>Runs expected and found, lost events, damaged files, in one sentence.</summary>
    public required string Completeness { get; init; }

    /// <summary>Events that could not be written.</summary>
    public required long LostEvents { get; init; }

    /// <summary>Warnings about the recording and what is missing from the export, a sentence each; empty when all is well.</summary>
    public required IReadOnlyList<string> Losses { get; init; }

    /// <summary>Puts them together.</summary>
    /// <param name="input">What was read.</param>
    /// <param name="result">Its runs.</param>
    /// <param name="profile">Its samples.</param>
    /// <param name="source">Name of the recording.</param>
    /// <param name="version">Version of this tool.</param>
    public static ProfileFacts Of(TraceInput input, AnalysisResult result, SampleProfile profile, string source, string version)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(profile);
        var first = input.Recordings.Count > 0 ? input.Recordings[0].Description : null;
        return new ProfileFacts
        {
            Exporter = $"esp-analyze@{version}",
            Source = source,
            StartedUtc = first?.StartedUtc,
            DurationMs = input.Recordings.Count == 1 ? first?.KnownDurationMs : null,
            Command = first is null ? "" : string.Join(' ', first.Command),
            OperatingSystem = first?.Host.OperatingSystem ?? "",
            Cpu = first?.Host.Cpu ?? "",
            LogicalProcessors = first?.Host.LogicalProcessors is > 0 and var processors ? processors : null,
            Runtimes =
            [
                .. input
                    .Processes.Where(process => result.Processes.Any(found => found.Process == process.Key))
                    .Select(process => process.RuntimeVersion)
                    .Where(runtime => runtime.Length > 0)
                    .Distinct(),
            ],
            Completeness = FormattableString.Invariant(
                $"runs expected {result.RunsExpected?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "unknown"}, found {result.RunsFound}; lost events {result.LostEvents}; damaged files {result.Damages.Count}; samples with broken stacks {profile.Quality.BrokenPercent ?? 0:0.0} %"
            ),
            LostEvents = result.LostEvents,
            Losses =
            [
                .. result.Findings.Where(finding => finding.Kind == FindingKind.Warning).Select(finding => finding.Text),
                .. profile.Problems,
                .. input.SampleProfilerNote is { Length: > 0 } sampled ? [$"CPU time is {sampled}"] : (string[])[],
            ],
        };
    }
}
