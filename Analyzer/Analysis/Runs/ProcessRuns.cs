using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs of one process.</summary>
/// <param name="Process">The process.</param>
/// <param name="Runs">Runs found, by begin.</param>
/// <param name="Pairing">What a run must have in the trace to count as found: the marker's wait, or, where waits were not recorded, its marks or its self-measurement.</param>
/// <param name="Expected">Runs expected: rows of the run CSV, else RunStart marks; null when the process marks no runs.</param>
/// <param name="Found">Runs that have it.</param>
/// <param name="MissingRunIds">Numbers of the runs that lack it.</param>
public sealed record ProcessRuns(ProcessKey Process, IReadOnlyList<Run> Runs, RunDelimiter Pairing, int? Expected, int Found, IReadOnlyList<int> MissingRunIds)
{
    /// <summary>Counts the runs of a process.</summary>
    /// <param name="process">The process.</param>
    /// <param name="runs">Its runs with their costs.</param>
    internal ProcessRuns(DelimitedProcess process, IReadOnlyList<Run> runs)
        : this(process.Reading.Process.Key, runs, process.Pairing, process.Expected, process.Runs.Count(process.IsFound), [.. process.Runs.Where(run => !process.IsFound(run)).Select(run => run.Marks.RunId).Order()])
    {
        (Before, After, Cut, Events) = (process.Before, process.After, process.Cut, process.Reading.Process.EventRuns);
        if (process.Pairing != RunDelimiter.WholeProcess)
            BySerializer = [.. process.Runs.GroupBy(run => run.Marks.Identity?.Serializer ?? "").Select(group => new RunCount(group.Key, group.Count(), group.Count(process.IsFound)))];
    }

    /// <summary>The events that delimit its runs; null when the user named none.</summary>
    public EventRuns? Events { get; init; }

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

/// <summary>Runs of one serializer.</summary>
/// <param name="Serializer">Name of the serializer, empty when a run's name was lost.</param>
/// <param name="Expected">Runs the process began.</param>
/// <param name="Found">Runs of them that are in the trace.</param>
public readonly record struct RunCount(string Serializer, int Expected, int Found);
