using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>The runs of one process.</summary>
/// <param name="Process">The process.</param>
/// <param name="Runs">Runs found, ordered by start.</param>
/// <param name="Pairing">
/// Evidence that a run needs to count as found: the marker's wait or, if waits were not recorded, its marks or its self-measurement.
/// </param>
/// <param name="Expected">Number of expected runs: rows of the run CSV, else RunStart marks; null when the process marks no runs.</param>
/// <param name="Found">Number of runs with this evidence.</param>
/// <param name="MissingRunIds">Numbers of the runs without it.</param>
public sealed record ProcessRuns(
    ProcessKey Process,
    IReadOnlyList<Run> Runs,
    RunDelimiter Pairing,
    int? Expected,
    int Found,
    IReadOnlyList<int> MissingRunIds
)
{
    /// <summary>Creates the runs of a process.</summary>
    /// <param name="process">The process.</param>
    /// <param name="runs">Its runs with costs.</param>
    internal ProcessRuns(DelimitedProcess process, IReadOnlyList<Run> runs)
        : this(
            process.Reading.Process.Key,
            runs,
            process.Pairing,
            process.Expected,
            process.Runs.Count(process.IsFound),
            [.. process.Runs.Where(run => !process.IsFound(run)).Select(run => run.Marks.RunId).Order()]
        )
    {
        (Before, After, Cut, Events) = (process.Before, process.After, process.Cut, process.Reading.Process.EventRuns);
        if (process.Pairing != RunDelimiter.WholeProcess)
            BySerializer =
            [
                .. process
                    .Runs.GroupBy(run => run.Marks.Identity?.Serializer ?? "")
                    .Select(group => new RunCount(group.Key, group.Count(), group.Count(process.IsFound))),
            ];
    }

    /// <summary>The events that delimit its runs; null when the user named none.</summary>
    public EventRuns? Events { get; init; }

    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>Number of runs that began before the interval that a circular recording kept; excluded from expected and found.</summary>
    public int Before { get; init; }

    /// <summary>
    /// Number of runs that had not ended when a snapshot of a circular recording was requested; excluded from expected and found.
    /// </summary>
    public int After { get; init; }

    /// <summary>Number of runs that the start or end of the recording cut off; excluded from the others.</summary>
    public int Cut { get; init; }

    /// <summary>Expected and found runs of each serializer; empty when the process marks no runs.</summary>
    public IReadOnlyList<RunCount> BySerializer { get; init; } = [];
}

/// <summary>Runs of one serializer.</summary>
/// <param name="Serializer">Name of the serializer; empty when a run's name was lost.</param>
/// <param name="Expected">Number of runs that the process began.</param>
/// <param name="Found">Number of these in the trace.</param>
public readonly record struct RunCount(string Serializer, int Expected, int Found);
