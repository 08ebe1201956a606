using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs of one process.</summary>
/// <param name="Process">The process.</param>
/// <param name="Runs">Runs found, by begin.</param>
/// <param name="Pairing">What a run must have in the trace to count as found: the marker's wait, or, where waits were not recorded, its marks or its truth.</param>
/// <param name="Expected">Runs expected: rows of the run CSV, else RunStart marks; null when the process marks no runs.</param>
/// <param name="Found">Runs that have it.</param>
/// <param name="MissingRunIds">Numbers of the runs that lack it.</param>
public sealed record ProcessRuns(ProcessKey Process, IReadOnlyList<Run> Runs, DelimiterKind Pairing, int? Expected, int Found, IReadOnlyList<int> MissingRunIds)
{
    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>Runs that began before the interval that a circular recording kept; expected and found do not count them.</summary>
    public int Before { get; init; }

    /// <summary>Runs that had not ended when the snapshot of a circular recording was asked for; expected and found do not count them.</summary>
    public int After { get; init; }

    /// <summary>Runs that the begin or the end of the recording cut: not among the others.</summary>
    public int Cut { get; init; }

    /// <summary>Expected and found runs of each serializer; empty when the process marks no runs.</summary>
    public IReadOnlyList<RunCount> BySerializer { get; init; } = [];
}
