using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>A recording, or trace files that belong together, on one side of a comparison.</summary>
/// <param name="Path">As it was named, or found in a folder that was.</param>
/// <param name="Input">What was opened.</param>
/// <param name="Result">What its runs cost.</param>
public sealed record ComparedRecording(string Path, TraceInput Input, AnalysisResult Result)
{
    /// <summary>Bytes allocated by row and type, of a recording that a store has; null of one whose events are read.</summary>
    public IReadOnlyList<(SummaryKey Runs, string Type, double Bytes)>? StoredAllocations { get; init; }

    /// <summary>Whether a store has it: then it has no stacks.</summary>
    public bool IsStored { get; init; }

    /// <summary>What names the machine and the runtimes that it was made with: the probe's times compare within one only.</summary>
    public string Machine => string.Join(", ", Input.Recordings.Select(recording => $"{recording.Description.Host.MachineName} {recording.Description.Host.Cpu} {recording.Description.Host.LogicalProcessors}").Distinct());
}
