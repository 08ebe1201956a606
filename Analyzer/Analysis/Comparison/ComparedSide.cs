using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>One side of a comparison: one recording, or a set of recordings of the same build.</summary>
/// <param name="Name">Its name: the path on the command line.</param>
/// <param name="Recordings">Its recordings, at least one.</param>
public sealed record ComparedSide(string Name, IReadOnlyList<ComparedRecording> Recordings)
{
    /// <summary>Distinct runtimes of its runs.</summary>
    public IReadOnlyList<string> Runtimes =>
        [.. Recordings.SelectMany(recording => recording.Result.Runs).Select(run => run.Runtime).Where(name => name.Length > 0).Distinct()];

    /// <summary>Whether rows of its recordings are distinguished by runtime.</summary>
    public bool HasSeveralRuntimes => Recordings.Any(recording => recording.Result.Runs.Any(run => run.IsOneOfSeveralRuntimes));

    /// <summary>Lost events, over all recordings.</summary>
    public long LostEvents => Recordings.Sum(recording => recording.Result.LostEvents);

    /// <summary>Losses without a known time; runs touched by the other losses count as disturbed.</summary>
    public long UnplacedLosses =>
        Recordings
            .SelectMany(recording => recording.Result.Recordings)
            .Where(facts => facts.Gaps.Count == 0)
            .Sum(facts => facts.LostEvents);

    /// <summary>Number of expected runs that are missing.</summary>
    public int MissingRuns =>
        Recordings.Sum(recording =>
            Math.Max(0, (recording.Result.RunsExpected ?? recording.Result.RunsFound) - recording.Result.RunsFound)
        );

    /// <summary>Groups its runs by row; warm-ups only if requested.</summary>
    /// <param name="filter">Selects the runs.</param>
    /// <param name="options">Whether disturbed runs count.</param>
    /// <param name="disturbance">Recognizes disturbed runs.</param>
    /// <param name="byRuntime">Whether rows are distinguished by runtime.</param>
    /// <param name="byRecording">Whether runs cluster by recording, because a side has several; else by process.</param>
    public IReadOnlyDictionary<SummaryKey, SideRuns> Rows(
        RunFilter filter,
        ComparisonOptions options,
        Disturbance disturbance,
        bool byRuntime,
        bool byRecording
    )
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(disturbance);
        var all = filter with { AllKinds = true };
        var rows = new Dictionary<SummaryKey, (List<List<Run>> Steady, List<List<Run>> Disturbed, int Failed)>();
        foreach (var recording in Recordings)
        {
            foreach (
                var row in recording
                    .Result.Runs.Where(run =>
                        (filter.AllKinds || run.Identity.Kind != RunKind.WarmUp) && all.Matches(run with { Error = "" })
                    )
                    .GroupBy(KeyOf)
            )
            {
                var (steady, disturbed, failed) = rows.GetValueOrDefault(row.Key, ([], [], 0));
                var completed = row.Where(run => run.Error.Length == 0)
                    .ToLookup(run => !options.KeepDisturbedRuns && disturbance.IsDisturbed(recording, run));
                steady.AddRange(Clusters(completed[false]));
                disturbed.AddRange(Clusters(completed[true]));
                rows[row.Key] = (steady, disturbed, failed + row.Count(run => run.Error.Length > 0));
            }
        }

        return rows.ToDictionary(row => row.Key, row => Compared(row.Value.Steady, row.Value.Disturbed, row.Value.Failed));

        IEnumerable<List<Run>> Clusters(IEnumerable<Run> runs) =>
            byRecording
                ? runs.Any()
                    ?
                    [
                        [.. runs],
                    ]
                    : []
                : runs.GroupBy(run => run.Process).Select(process => process.ToList());

        SideRuns Compared(List<List<Run>> steady, List<List<Run>> disturbed, int failed) =>
            steady.Count == 0 && disturbed.Count > 0 && options.FallBackToDisturbedRuns
                ? new SideRuns(disturbed, failed, Disturbed: 0) { AreDisturbed = true }
                : new SideRuns(steady, failed, disturbed.Sum(runs => runs.Count));

        SummaryKey KeyOf(Run run) => SummaryKey.Of(run.Identity) with { Runtime = byRuntime ? run.Runtime : "" };
    }
}
