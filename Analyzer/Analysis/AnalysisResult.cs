using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis;

/// <summary>What each run cost, the rows they make, and what is to be known about them.</summary>
public sealed record AnalysisResult
{
    /// <summary>Processes with runs.</summary>
    public required IReadOnlyList<ProcessRuns> Processes { get; init; }

    /// <summary>Processes that were recorded but mark no runs, beside others that do: they are left out.</summary>
    public IReadOnlyList<string> UnmarkedProcesses { get; init; } = [];

    /// <summary>All runs, by process and begin.</summary>
    public required IReadOnlyList<Run> Runs { get; init; }

    /// <summary>Rows of the measured runs.</summary>
    public required IReadOnlyList<SummaryRow> Rows { get; init; }

    /// <summary>Rows of the first calls and of the first warm-up of each serializer and operation in its process; later warm-ups are in no row.</summary>
    public required IReadOnlyList<SummaryRow> FirstUseRows { get; init; }

    /// <summary>What is known of each recording, in their order; one for bare files.</summary>
    public IReadOnlyList<RecordingFacts> Recordings { get; init; } = [];

    /// <summary>Events that the recorded processes could not write.</summary>
    public long LostEvents => Recordings.Sum(recording => recording.LostEvents);

    /// <summary>Files that could not be read to their end.</summary>
    public required IReadOnlyList<TraceDamage> Damages { get; init; }

    /// <summary>Runs before the interval that a circular recording kept, and behind it; they are not expected in the trace.</summary>
    public (int Before, int After) RunsOutside => (Processes.Sum(process => process.Before), Processes.Sum(process => process.After));

    /// <summary>Problems that the input names itself: files missing, sessions not started, an interrupted recording.</summary>
    public IReadOnlyList<string> InputProblems { get; init; } = [];

    /// <summary>Runs expected, null when no process marks runs.</summary>
    public int? RunsExpected => Processes.All(process => process.Expected is null) ? null : Processes.Sum(process => process.Expected ?? process.Found);

    /// <summary>Runs found.</summary>
    public int RunsFound => Processes.Sum(process => process.Found);

    /// <summary>Runs expected and found of each serializer, over all processes.</summary>
    public IReadOnlyList<RunCount> RunsBySerializer =>
    [
        .. Processes.SelectMany(process => process.BySerializer).GroupBy(count => count.Serializer)
            .Select(group => new RunCount(group.Key, group.Sum(count => count.Expected), group.Sum(count => count.Found))),
    ];

    /// <summary>Warnings and hints, warnings first.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The result as a report on more than the table's columns shows it: hints are about those and go, what is missing from the report itself comes.</summary>
    /// <param name="code">Code of the new hints.</param>
    /// <param name="problems">What is missing, a sentence each.</param>
    public AnalysisResult WithProblems(string code, IEnumerable<string> problems) => this with
    {
        Findings = [.. Findings.Where(finding => finding.Kind == FindingKind.Warning), .. problems.Select(problem => new Finding(FindingKind.Hint, code, problem))],
    };

    /// <summary>A result without runs: what is to be known about a trace that was not analysed for runs.</summary>
    public static AnalysisResult OfFindings(IReadOnlyList<Finding> findings) =>
        new() { Processes = [], Runs = [], Rows = [], FirstUseRows = [], Damages = [], Findings = findings };

    /// <summary>Runs whose numbers are reported: not warm-up, not first call.</summary>
    public IEnumerable<Run> MeasuredRuns => Runs.Where(run => run.Identity.Kind == RunKind.Measured);
}
