using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis;

/// <summary>Facts on a recording as a whole; bare files that were read together count as one.</summary>
/// <param name="Label">Its label if there are several, else empty.</param>
/// <param name="LostEvents">Number of events that its processes and the kernel lost.</param>
/// <param name="PlannedRuns">
/// Final number of planned runs of the whole benchmark, from the row of its last run (rehearsed runs are added, others may be
/// repeated); 0 when unknown.
/// </param>
/// <param name="Kept">The part that a circular recording kept; null if it kept everything.</param>
public sealed record RecordingFacts(string Label, long LostEvents, int PlannedRuns, KeptInterval? Kept)
{
    /// <summary>Prefix of a sentence about it.</summary>
    public string Prefix => Label.Length > 0 ? Label + ": " : "";

    /// <summary>Creates the facts from its processes and sources.</summary>
    internal static RecordingFacts Of(string label, IReadOnlyList<TracedProcess> processes, IReadOnlyList<TraceReadResult> results) =>
        new(
            label,
            results.Sum(source => source.LostEvents),
            processes.Any(process => process.Kept is { IsSnapshot: true })
                ? 0
                : processes
                    .SelectMany(process => process.CsvRows)
                    .Where(row => row.PlannedRuns > 0)
                    .MaxBy(row => row.SelfMeasurement.StartTicks)
                    ?.PlannedRuns
                    ?? 0,
            processes.Select(process => process.Kept).FirstOrDefault(kept => kept is not null)
        )
        {
            Gaps = LossGaps.Join(results.SelectMany(result => result.Gaps)),
            TicksPerSecond = processes.SelectMany(process => process.Sources).FirstOrDefault()?.Clock.TicksPerSecond ?? 1,
        };

    /// <summary>Intervals in which events were lost; empty when the trace does not say when.</summary>
    public IReadOnlyList<EventGap> Gaps { get; init; } = [];

    /// <summary>Unit of the gaps.</summary>
    public long TicksPerSecond { get; init; } = 1;

    /// <summary>Time of all gaps together in ms.</summary>
    public double GapMs => Gaps.Sum(gap => gap.StopTicks - gap.StartTicks) * 1e3 / TicksPerSecond;
}
