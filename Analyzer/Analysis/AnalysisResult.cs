using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis;

/// <summary>Costs of each run, their rows, and findings.</summary>
public sealed record AnalysisResult
{
    /// <summary>Processes with runs.</summary>
    public required IReadOnlyList<ProcessRuns> Processes { get; init; }

    /// <summary>Recorded processes without run marks, if other processes have marks; they are omitted.</summary>
    public IReadOnlyList<string> UnmarkedProcesses { get; init; } = [];

    /// <summary>All runs, ordered by process and start.</summary>
    public required IReadOnlyList<Run> Runs { get; init; }

    /// <summary>Rows of the measured runs.</summary>
    public required IReadOnlyList<SummaryRow> Rows { get; init; }

    /// <summary>
    /// Rows of the first calls, and of the first warm-up of each serializer and operation in its process; later warm-ups are in no row.
    /// </summary>
    public required IReadOnlyList<SummaryRow> FirstUseRows { get; init; }

    /// <summary>Facts on each recording, in order; one entry for bare files.</summary>
    public IReadOnlyList<RecordingFacts> Recordings { get; init; } = [];

    /// <summary>Events that the recorded processes could not write.</summary>
    public long LostEvents => Recordings.Sum(recording => recording.LostEvents);

    /// <summary>Files that are damaged at some offset.</summary>
    public required IReadOnlyList<TraceDamage> Damages { get; init; }

    /// <summary>Runs before and after the interval that a circular recording kept; they are not expected in the trace.</summary>
    public (int Before, int After) RunsOutside => (Processes.Sum(process => process.Before), Processes.Sum(process => process.After));

    /// <summary>Problems that the input reports itself: missing files, sessions that did not start, an interrupted recording.</summary>
    public IReadOnlyList<string> InputProblems { get; init; } = [];

    /// <summary>Number of expected runs; null when no process marks runs.</summary>
    public int? RunsExpected =>
        Processes.All(process => process.Expected is null) ? null : Processes.Sum(process => process.Expected ?? process.Found);

    /// <summary>Number of runs found.</summary>
    public int RunsFound => Processes.Sum(process => process.Found);

    /// <summary>Expected and found runs of each serializer, over all processes.</summary>
    public IReadOnlyList<RunCount> RunsBySerializer =>
        [
            .. Processes
                .SelectMany(process => process.BySerializer)
                .GroupBy(count => count.Serializer)
                .Select(group => new RunCount(group.Key, group.Sum(count => count.Expected), group.Sum(count => count.Found))),
        ];

    /// <summary>Warnings and hints, warnings first.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>
    /// Returns the result for a report that does not show the table's columns: without the hints on these columns, with hints on what the
    /// report itself lacks.
    /// </summary>
    /// <param name="code">Code of the new hints.</param>
    /// <param name="problems">What is missing, one sentence each.</param>
    public AnalysisResult WithProblems(string code, IEnumerable<string> problems) =>
        this with
        {
            Findings =
            [
                .. Findings.Where(finding => finding.Kind == FindingKind.Warning),
                .. problems.Select(problem => new Finding(FindingKind.Hint, code, problem)),
            ],
        };

    /// <summary>Creates a result without runs, for findings on a trace that was not analyzed for runs.</summary>
    public static AnalysisResult OfFindings(IReadOnlyList<Finding> findings) =>
        new()
        {
            Processes = [],
            Runs = [],
            Rows = [],
            FirstUseRows = [],
            Damages = [],
            Findings = findings,
        };

    /// <summary>Runs that are neither warm-ups nor first calls, whose numbers are reported.</summary>
    public IEnumerable<Run> MeasuredRuns => Runs.Where(run => run.Identity.Kind == RunKind.Measured);
}
