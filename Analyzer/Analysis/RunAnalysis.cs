using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Runs.Marking;
using EtwSerializerProfiler.Analysis.Runs.SerializerTests;
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
    /// Analyzes processes. Reads each file at most twice, whatever the number of its processes: for the marks, and for the content of the
    /// runs. (A file with a marker's waits but without its marks is read after the marks. SerializerTests, which has no marks, needs one
    /// more pass, and another to name its runs.)
    /// </summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="inputProblems">Known problems of the input, one sentence each.</param>
    /// <param name="symbols">
    /// Provides the symbols of processes and files, because the completeness of a stack can depend on its program's symbols; null for none.
    /// </param>
    /// <param name="reader">Subscribes to events in the same passes; null for none.</param>
    /// <param name="causes">Whether to find the causes of CPU samples, which needs method names and a walk over each stack.</param>
    /// <param name="causeMethods">Whether to break causes down by method, too (<see cref="Causes.CauseTimes.Methods"/>).</param>
    /// <param name="recordings">Recordings of the processes, for findings about them; null for none.</param>
    /// <param name="leftOut">Skipped serializers of runs without a recording; null for none.</param>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static AnalysisResult Run(
        IReadOnlyList<TracedProcess> processes,
        IReadOnlyList<string> inputProblems,
        SymbolReading? symbols = null,
        IRunReader? reader = null,
        bool causes = true,
        bool causeMethods = false,
        IReadOnlyList<InputRecording>? recordings = null,
        IReadOnlyList<LeftOutSerializer>? leftOut = null
    )
    {
        ArgumentNullException.ThrowIfNull(processes);
        symbols ??= new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        var readings = processes.Select(process => new ProcessReading(process, symbols, causes, causeMethods)).ToList();

        // The runs that the processes report.
        var marks = readings.ConvertAll(reading => new MarkPhase(reading));
        List<TraceRequest> ofMarks = [.. marks.SelectMany(phase => phase.Requests())];
        var read = ofMarks.Select(request => request.Source).ToHashSet();
        var preparing = (reader?.Prepare(processes) ?? []).ToLookup(request => read.Contains(request.Source));
        Read([.. ofMarks, .. preparing[true]]);

        // Starts and stops of the runs: the markers' waits, by marks or by methods of SerializerTests.
        var waits = marks.ConvertAll(phase => new WaitPhase(phase.Finish()));
        var serializerTests = readings.ConvertAll(reading => new SerializerTestsPhase(reading));
        Read([
            .. waits.SelectMany(phase => phase.Requests()),
            .. serializerTests.SelectMany(phase => phase.MethodRequests()),
            .. preparing[false],
        ]);
        Read([.. serializerTests.SelectMany(phase => phase.WaitRequests())]);
        var lossy = readings.Where(reading => reading.HasLostSwitches).Select(reading => reading.Process.Label).ToHashSet();
        var delimited = waits
            .Zip(serializerTests, readings)
            .Select(item => item.Second.Delimit() ?? item.First.Delimit(lossy.Contains(item.Third.Process.Label)))
            .ToList();

        // A process without marks is one run, unless another process of its recording has marks.
        var marking = delimited.Where(process => process.HasRuns).Select(process => process.Reading.Process.Label).ToHashSet();
        bool IsUnmarked(DelimitedProcess process) => !process.HasRuns && marking.Contains(process.Reading.Process.Label);
        List<DelimitedProcess> withRuns =
        [
            .. delimited
                .Where(process => !IsUnmarked(process))
                .Select(process => process.HasRuns ? process : process.AsOneRun())
                .OfType<DelimitedProcess>(),
        ];

        // Serializers of the runs.
        var names = withRuns.ConvertAll(process => new NamePhase(process));
        Read([.. names.SelectMany(phase => phase.Requests())]);
        var named = names.ConvertAll(phase => phase.Finish());

        // Costs of the runs.
        var areSeveralRuntimes =
            named.Select(process => process.Reading.Process.RuntimeName).Where(name => name.Length > 0).Distinct().Count() > 1;
        var costs = named.ConvertAll(process => new CostPhase(process, areSeveralRuntimes));
        var reading = reader?.Begin([.. costs.SelectMany(phase => phase.Runs())]).ToList() ?? [];
        Read([.. costs.SelectMany(phase => phase.Requests()), .. reading]);
        var found = costs.ConvertAll(phase => phase.Finish());

        var facts = readings
            .GroupBy(reading => reading.Process.Label)
            .Select(group =>
                RecordingFacts.Of(
                    group.Key,
                    [.. group.Select(reading => reading.Process)],
                    [.. group.SelectMany(reading => reading.Results.Values)]
                )
            )
            .ToList();
        var runs = LossGaps.Mark(DumpPauses.Mark([.. found.SelectMany(process => process.Runs)], recordings), readings);
        var result = new AnalysisResult
        {
            Processes = found,
            UnmarkedProcesses =
            [
                .. delimited
                    .Where(IsUnmarked)
                    .Select(process => process.Reading.Process)
                    .Where(process => !IsLauncher(process, recordings))
                    .Select(UnmarkedTitle),
            ],
            Runs = runs,
            Rows = SummaryRow.Group(runs.Where(run => run.Identity.Kind == RunKind.Measured)),
            FirstUseRows = SummaryRow.Group(FirstUses(runs)),
            Recordings = facts,
            Damages = [.. readings.SelectMany(reading => reading.Results.Values).Select(source => source.Damage).OfType<TraceDamage>()],
            InputProblems = [.. inputProblems, .. delimited.Select(process => process.RangeProblem).OfType<string>()],
        };
        return result with
        {
            Findings = FindingRules.Check(new FindingInput(result) { Recordings = recordings ?? [], LeftOut = leftOut ?? [] }),
        };

        void Read(List<TraceRequest> requests)
        {
            var found = TraceReading.Read(requests);
            foreach (var reading in readings)
                reading.Add(found);
        }
    }

    /// <summary>Whether a process is the suite's launcher of those with runs: first calls, launches.</summary>
    private static bool IsLauncher(TracedProcess process, IReadOnlyList<InputRecording>? recordings) =>
        recordings?.Any(recording =>
            recording.Label == process.Label
            && recording.Description is { BuiltInSuite: true, Processes: [var first, ..] }
            && first.ProcessId == process.ProcessId
        ) == true;

    private static string UnmarkedTitle(TracedProcess process) =>
        $"{(process.Label.Length > 0 ? process.Label + ": " : "")}{process.ProcessId} {process.Program}".Trim();

    /// <summary>First calls, and the first warm-up of each serializer and operation in its process: the cost of a first use.</summary>
    /// <param name="runs">All runs, ordered by process and start.</param>
    public static IEnumerable<Run> FirstUses(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var used = new HashSet<(ProcessKey Process, string Serializer, string Operation)>();
        return runs.Where(run =>
            used.Add((run.Process, run.Identity.Serializer, run.Identity.Operation))
                ? run.Identity.Kind != RunKind.Measured
                : run.Identity.Kind == RunKind.FirstCall
        );
    }
}
