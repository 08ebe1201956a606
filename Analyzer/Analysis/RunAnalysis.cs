using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Classic;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;
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
    /// <param name="symbols">Gets the symbols of the processes that it reads, with those of files: whether a stack is whole can depend on its program's; null for none.</param>
    /// <param name="reader">Hears events in the same passes; null for none.</param>
    /// <param name="causes">Whether CPU samples get their causes, which takes names of methods and a walk over each stack.</param>
    /// <param name="causeMethods">Whether causes are told by method, too (<see cref="Causes.CauseTimes.Methods"/>).</param>
    /// <param name="recordings">The recordings they belong to, for findings about how they were made; null for none.</param>
    /// <param name="leftOut">Serializers that took no part in runs without a recording; null for none.</param>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static AnalysisResult Run(
        IReadOnlyList<TracedProcess> processes, IReadOnlyList<string> inputProblems, SymbolReading? symbols = null, IRunReader? reader = null, bool causes = true,
        bool causeMethods = false, IReadOnlyList<InputRecording>? recordings = null, IReadOnlyList<LeftOutSerializer>? leftOut = null)
    {
        ArgumentNullException.ThrowIfNull(processes);
        symbols ??= new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        var readings = processes.Select(process => new ProcessReading(process, symbols, causes, causeMethods)).ToList();

        // Which runs the processes say they made.
        var marks = readings.ConvertAll(reading => new MarkPhase(reading));
        List<TraceRequest> ofMarks = [.. marks.SelectMany(phase => phase.Requests())];
        var read = ofMarks.Select(request => request.Source).ToHashSet();
        var preparing = (reader?.Prepare(processes) ?? []).ToLookup(request => read.Contains(request.Source));
        Read([.. ofMarks, .. preparing[true]]);

        // Their begins and ends: the markers' waits, by marks or by the original suite's methods.
        var waits = marks.ConvertAll(phase => new WaitPhase(phase.Finish()));
        var classics = readings.ConvertAll(reading => new ClassicPhase(reading));
        Read([.. waits.SelectMany(phase => phase.Requests()), .. classics.SelectMany(phase => phase.MethodRequests()), .. preparing[false]]);
        Read([.. classics.SelectMany(phase => phase.WaitRequests())]);
        var lossy = readings.Where(reading => reading.HasLostSwitches).Select(reading => reading.Process.Label).ToHashSet();
        var delimited = waits.Zip(classics, readings).Select(item => item.Second.Delimit() ?? item.First.Delimit(lossy.Contains(item.Third.Process.Label))).ToList();

        // A process that marks no run is one run, unless another process of its recording marks some.
        var marking = delimited.Where(process => process.HasRuns).Select(process => process.Reading.Process.Label).ToHashSet();
        bool IsUnmarked(DelimitedProcess process) => !process.HasRuns && marking.Contains(process.Reading.Process.Label);
        List<DelimitedProcess> withRuns = [.. delimited.Where(process => !IsUnmarked(process)).Select(process => process.HasRuns ? process : process.AsOneRun()).OfType<DelimitedProcess>()];

        // Whose runs they are.
        var names = withRuns.ConvertAll(process => new NamePhase(process));
        Read([.. names.SelectMany(phase => phase.Requests())]);
        var named = names.ConvertAll(phase => phase.Finish());

        // What they cost.
        var areSeveralRuntimes = named.Select(process => process.Reading.Process.RuntimeName).Where(name => name.Length > 0).Distinct().Count() > 1;
        var costs = named.ConvertAll(process => new CostPhase(process, areSeveralRuntimes));
        var reading = reader?.Begin([.. costs.SelectMany(phase => phase.Runs())]).ToList() ?? [];
        Read([.. costs.SelectMany(phase => phase.Requests()), .. reading]);
        var found = costs.ConvertAll(phase => phase.Finish());

        var facts = readings.GroupBy(reading => reading.Process.Label)
            .Select(group => RecordingFacts.Of(group.Key, [.. group.Select(reading => reading.Process)], [.. group.SelectMany(reading => reading.Results.Values)])).ToList();
        var runs = DumpPauses.Mark([.. found.SelectMany(process => process.Runs)], recordings);
        var result = new AnalysisResult
        {
            Processes = found,
            UnmarkedProcesses = [.. delimited.Where(IsUnmarked).Select(process => process.Reading.Process).Where(process => !IsLauncher(process, recordings)).Select(UnmarkedTitle)],
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(FirstUses(runs)),
            Recordings = facts,
            Damages = [.. readings.SelectMany(reading => reading.Results.Values).Select(source => source.Damage).OfType<TraceDamage>()],
            InputProblems = [.. inputProblems, .. delimited.Select(process => process.RangeProblem).OfType<string>()],
        };
        return result with { Findings = FindingRules.Check(new FindingInput(result) { Recordings = recordings ?? [], LeftOut = leftOut ?? [] }) };

        void Read(List<TraceRequest> requests)
        {
            var found = TraceReading.Read(requests);
            foreach (var reading in readings)
                reading.Add(found);
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
