using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Reading;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Problems;

namespace EtwSerializerProfiler.Reports.Stored;

/// <summary>Traces of stores as one input, as recordings that are named beside each other are one: each has a label that its rows are told apart by.</summary>
/// <param name="Input">What was opened.</param>
/// <param name="Result">Runs and rows; its findings are those of the runs alone.</param>
/// <param name="Findings">All findings, of events, too.</param>
/// <param name="NotRecorded">What was not recorded, so that rules that need it said nothing.</param>
/// <param name="NotStored">Tables that they were not extracted into.</param>
internal sealed record StoredRuns(TraceInput Input, AnalysisResult Result, IReadOnlyList<Finding> Findings, IReadOnlyList<string> NotRecorded, IReadOnlyList<string> NotStored)
{
    private const string EtlFormat = "etl";

    /// <summary>Opens the stores that paths name; null when they name recordings and files.</summary>
    /// <exception cref="StoreException">A store cannot be read, no trace is meant, or recordings are named beside it.</exception>
    public static StoredRuns? Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (!paths.Any(StoreAddress.IsStore))
            return null;
        if (paths.FirstOrDefault(path => !StoreAddress.IsStore(path)) is { } other)
            throw new StoreException(new Problem("a recording and a store are no one table", other, "name recordings or stores; diff and trend take both")) { IsUsage = true };
        var traces = paths.SelectMany(path => StoredTraceReader.Read(StoreAddress.Parse(path), StoredParts.Runs)).ToList();
        return traces is [var only]
            ? new StoredRuns(only.Input with { Paths = paths }, only.Result, only.Findings, only.NotRecorded, only.NotStored) { Formats = [only.Trace.Format] }
            : Merge(paths, traces);
    }

    /// <summary>What the traces are.</summary>
    private IReadOnlyList<string> Formats { get; init; } = [];

    /// <summary>What is not there because it was left out when the traces were extracted.</summary>
    public IReadOnlyList<string> Notes => NotStored.Count == 0 ? [] : [$"Not stored: {string.Join(", ", NotStored)} (extracted with --only); what rests on them reads as if it was not recorded"];

    /// <summary>The same for a table, which has of a recording what its first calls are made of.</summary>
    public IReadOnlyList<string> TableNotes
    {
        get
        {
            var firstCalls = Result.Runs.Count(run => run.Identity.Kind == RunKind.FirstCall);
            return firstCalls == 0 ? Notes : [string.Create(CultureInfo.InvariantCulture, $"Not stored: what {firstCalls} first calls are made of (esp-analyze firstcalls on the recording tells)"), .. Notes];
        }
    }

    /// <summary>The same for findings, which of a Windows trace are about its clock and buffers, too.</summary>
    public IReadOnlyList<string> FindingNotes =>
        Formats.Contains(EtlFormat) ? ["Not stored: what a Windows trace says of its clock and buffers (esp-analyze findings on the file tells)", .. Notes] : Notes;

    /// <summary>The result with all findings: of reports that show them.</summary>
    public AnalysisResult WithFindings => Result with { Findings = Findings };

    private static StoredRuns Merge(IReadOnlyList<string> paths, List<StoredAnalysis> traces)
    {
        var labels = Labels(traces);
        var several = labels.Zip(traces).Select(pair => Labelled(pair.Second, pair.First)).ToList();
        var runs = several.SelectMany(item => item.Result.Runs).ToList();
        var isSeveral = runs.Select(run => run.Runtime).Where(name => name.Length > 0).Distinct().Count() > 1;
        runs = runs.ConvertAll(run => run with { IsOneOfSeveralRuntimes = isSeveral });
        var byProcess = runs.ToLookup(run => run.Process);
        var input = new TraceInput(
            paths, [.. several.SelectMany(item => item.Input.Processes)], [.. several.SelectMany(item => item.Input.Recordings)], HasRunCsv: false, [], [.. several.SelectMany(item => item.Input.FilesRead).Distinct()])
        {
            Environments = [.. several.SelectMany(item => item.Input.Environments)],
        };
        var result = new AnalysisResult
        {
            Processes = [.. several.SelectMany(item => item.Result.Processes).Select(process => process with { Runs = [.. byProcess[process.Process]] })],
            UnmarkedProcesses = [.. several.SelectMany(item => item.Result.UnmarkedProcesses)],
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(RunAnalysis.FirstUses(runs)),
            Recordings = [.. several.SelectMany(item => item.Result.Recordings)],
            Damages = [.. several.SelectMany(item => item.Result.Damages)],
            InputProblems = [.. several.SelectMany(item => item.Result.InputProblems)],
        };
        return new StoredRuns(
            input, result with { Findings = FindingRules.Check(new FindingInput(result) { Recordings = input.Recordings }) },
            [.. several.SelectMany(item => item.Findings).OrderBy(finding => finding.Kind)], [.. several.SelectMany(item => item.NotRecorded).Distinct()], [.. several.SelectMany(item => item.NotStored).Distinct()])
        {
            Formats = [.. several.Select(item => item.Trace.Format).Distinct()],
        };
    }

    /// <summary>A trace whose rows carry a label, as a recording's do that is named beside others.</summary>
    private static StoredAnalysis Labelled(StoredAnalysis trace, string label)
    {
        return trace with
        {
            Input = trace.Input with
            {
                Processes = [.. trace.Input.Processes.Select(process => process with { Label = Of(process.Label) })],
                Recordings = [.. trace.Input.Recordings.Select(recording => recording with { Label = Of(recording.Label) })],
                Environments = trace.Input.Environments,
            },
            Result = trace.Result with
            {
                Runs = [.. trace.Result.Runs.Select(run => run with { Process = KeyOf(run.Process), Runtime = Of(run.Process.Recording) })],
                Processes = [.. trace.Result.Processes.Select(process => process with { Process = KeyOf(process.Process) })],
                UnmarkedProcesses = [.. trace.Result.UnmarkedProcesses.Select(process => $"{label}: {process}")],
                Recordings = [.. trace.Result.Recordings.Select(facts => facts with { Label = Of(facts.Label) })],
                InputProblems = [.. trace.Result.InputProblems.Select(problem => $"{label}: {problem}")],
            },
            Findings = [.. trace.Findings.Select(finding => finding with { Text = $"{label}: {finding.Text}", Places = [.. finding.Places.Select(place => place with { Process = KeyOf(place.Process) })] })],
        };

        string Of(string own) => own.Length > 0 ? $"{label} {own}" : label;

        ProcessKey KeyOf(ProcessKey process) => process with { Recording = Of(process.Recording) };
    }

    /// <summary>Names of the folders or files; with the trace's own where names repeat.</summary>
    private static List<string> Labels(List<StoredAnalysis> traces)
    {
        var names = traces.ConvertAll(trace => Path.GetFileName(trace.Trace.Name.Replace('\\', '/').TrimEnd('/')));
        return names.Distinct().Count() == names.Count ? names : [.. names.Zip(traces, (name, trace) => $"{name} {trace.Trace.Trace}")];
    }
}
