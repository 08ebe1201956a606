using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis;

/// <summary>Turns traced processes into runs, rows and findings.</summary>
public static class RunAnalysis
{
    /// <summary>
    /// Analyses processes. Each file is read twice at most, whatever the number of processes in it: for the marks, and for what lies in the runs. (A file
    /// of a marker's waits without its marks is read after theirs. The original suite, which marks nothing, takes one more, and one more to name its runs.)
    /// </summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="inputProblems">What is known to be missing from the input, a sentence each.</param>
    /// <param name="files">Symbols of files: whether a stack is whole can depend on its program's; null for none.</param>
    /// <param name="reader">Hears events in the same passes; null for none.</param>
    /// <param name="causes">Whether CPU samples get their causes, which takes names of methods and a walk over each stack.</param>
    /// <param name="causeMethods">Whether causes are told by method, too (<see cref="Causes.CauseTimes.Methods"/>).</param>
    /// <param name="recordings">The recordings they belong to, for findings about how they were made; null for none.</param>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static AnalysisResult Run(
        IReadOnlyList<TracedProcess> processes, IReadOnlyList<string> inputProblems, SymbolFiles? files = null, IRunReader? reader = null, bool causes = true,
        bool causeMethods = false, IReadOnlyList<InputRecording>? recordings = null)
    {
        ArgumentNullException.ThrowIfNull(processes);
        files ??= new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero);
        var analyzers = processes.Select(process => (Process: process, Analyzer: new ProcessAnalyzer(process, files, causes, causeMethods))).ToList();
        var marked = analyzers.SelectMany(pair => pair.Analyzer.MarkRequests()).ToList();
        var sources = marked.Select(request => request.Source).ToHashSet();
        var preparing = (reader?.Prepare(processes) ?? []).ToLookup(request => sources.Contains(request.Source));
        Read([.. marked, .. preparing[true]]);
        Read([.. analyzers.SelectMany(pair => pair.Analyzer.LayoutRequests()), .. preparing[false]]);
        Read([.. analyzers.SelectMany(pair => pair.Analyzer.ClassicRequests())]);
        var lossy = analyzers.Where(pair => pair.Analyzer.HasLostSwitches).Select(pair => pair.Process.Label).ToHashSet();
        foreach (var (process, analyzer) in analyzers)
            analyzer.Delimit(lossy.Contains(process.Label));

        var marking = analyzers.Where(pair => pair.Analyzer.HasRuns).Select(pair => pair.Process.Label).ToHashSet();
        var begun = new List<ProcessAnalyzer>();
        var unmarked = new List<string>();
        foreach (var (process, analyzer) in analyzers)
        {
            if (!analyzer.HasRuns && marking.Contains(process.Label))
                unmarked.AddRange(IsLauncher(process, recordings) ? [] : [UnmarkedTitle(process)]);
            else if (analyzer.HasRuns ? analyzer.BeginRuns() : analyzer.BeginWholeProcess())
                begun.Add(analyzer);
        }

        var several = analyzers.Where(pair => begun.Contains(pair.Analyzer)).Select(pair => pair.Process.RuntimeName).Where(name => name.Length > 0).Distinct().Count() > 1;
        begun.ForEach(analyzer => analyzer.IsOneOfSeveralRuntimes = several);

        Read([.. begun.SelectMany(analyzer => analyzer.NameRequests())]);
        begun.ForEach(analyzer => analyzer.Name());

        var reading = reader?.Begin([.. begun.SelectMany(analyzer => analyzer.Runs())]).ToList() ?? [];
        Read([.. begun.SelectMany(analyzer => analyzer.CostRequests()), .. reading]);
        var found = begun.ConvertAll(analyzer => analyzer.Finish());

        var facts = analyzers.GroupBy(pair => pair.Process.Label)
            .Select(group => RecordingFacts.Of(group.Key, [.. group.Select(pair => pair.Process)], [.. group.SelectMany(pair => pair.Analyzer.Results.Values)])).ToList();
        var runs = DumpPauses.Mark([.. found.SelectMany(process => process.Runs)], recordings);
        var result = new AnalysisResult
        {
            Processes = found,
            UnmarkedProcesses = unmarked,
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(FirstUses(runs)),
            Recordings = facts,
            Damages = [.. analyzers.SelectMany(pair => pair.Analyzer.Results.Values).Select(source => source.Damage).OfType<TraceDamage>()],
            InputProblems = inputProblems,
        };
        return result with { Findings = FindingRules.Check(new FindingInput(result) { Recordings = recordings ?? [] }) };

        void Read(List<TraceRequest> requests)
        {
            var found = TraceReading.Read(requests);
            foreach (var (_, analyzer) in analyzers)
                analyzer.Note(found);
        }
    }

    /// <summary>Whether a process is the suite's that starts those with runs: first calls, launches.</summary>
    private static bool IsLauncher(TracedProcess process, IReadOnlyList<InputRecording>? recordings) => recordings?.Any(recording =>
        recording.Label == process.Label && recording.Description is { BuiltInSuite: true, Processes: [var first, ..] } && first.ProcessId == process.ProcessId) == true;

    private static string UnmarkedTitle(TracedProcess process) => $"{(process.Label.Length > 0 ? process.Label + ": " : "")}{process.ProcessId} {process.Program}".Trim();

    /// <summary>First calls, and of the warm-ups the first one of each serializer and operation in its process: what a program pays that uses it for the first time.</summary>
    /// <param name="runs">All runs, by process and begin.</param>
    public static IEnumerable<Run> FirstUses(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var used = new HashSet<(ProcessKey Process, string Serializer, string Operation)>();
        return runs.Where(run =>
            used.Add((run.Process, run.Identity.Serializer, run.Identity.Operation)) ? run.Identity.Kind != RunKind.Measured : run.Identity.Kind == RunKind.FirstCall);
    }
}
