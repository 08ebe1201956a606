using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis;

/// <summary>What is known of a recording as a whole; bare files that were read together are one.</summary>
/// <param name="Label">Its label among several, empty when there is one.</param>
/// <param name="LostEvents">Events that its processes and the kernel could not write.</param>
/// <param name="PlannedRuns">Runs that the whole benchmark planned in the end, as the row of its last run says (settling runs may turn out not to be needed, others may be made again), 0 when it did not say.</param>
/// <param name="Kept">The part that a circular recording kept; null when everything was.</param>
public sealed record RecordingFacts(string Label, long LostEvents, int PlannedRuns, KeptInterval? Kept)
{
    /// <summary>What stands in front of a sentence about it.</summary>
    public string Prefix => Label.Length > 0 ? Label + ": " : "";

    /// <summary>Puts together what its processes and sources tell.</summary>
    internal static RecordingFacts Of(string label, IReadOnlyList<TracedProcess> processes, IReadOnlyList<TraceReadResult> results) => new(
        label,
        results.Sum(source => source.LostEvents),
        processes.Any(process => process.Kept is { IsSnapshot: true }) ? 0 : processes.SelectMany(process => process.CsvRows).Where(row => row.PlannedRuns > 0).MaxBy(row => row.Truth.StartTicks)?.PlannedRuns ?? 0,
        processes.Select(process => process.Kept).FirstOrDefault(kept => kept is not null));
}
