using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>Breakdown of first calls: compilation and the rest, types, assemblies, generated code.</summary>
public static class FirstCallAnalysis
{
    /// <summary>Start-up kinds of the suite. Each one's cost contains that of the one before it; other kinds follow.</summary>
    private static readonly string[] s_kinds =
    [
        RunOperation.StartRuntime,
        RunOperation.Construct,
        RunOperation.FirstSerialize,
        RunOperation.FirstDeserialize,
    ];

    /// <summary>Analyzes first calls in one pass per file.</summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="filter">Selects the first calls.</param>
    /// <exception cref="NoRunMatchesException">No first call was recorded, or the filter matches none of them.</exception>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static FirstCallResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, RunFilter filter) =>
        Begin(processes, runs, filter).Read();

    /// <summary>Subscribers of <see cref="Run"/>, for reports that share a pass.</summary>
    internal static EventReading<FirstCallResult> Begin(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, RunFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var calls = runs.Where(run => run.Identity.Kind == RunKind.FirstCall).ToList();
        var counted = NoRunMatchesException.Chosen(filter with { AllKinds = true }, calls);

        var passes = counted
            .GroupBy(run => run.Process)
            .Select(own => (Process: processes.First(process => process.Key == own.Key), Pass: new FirstCallPass([.. own])))
            .ToList();
        var failed = calls
            .Where(run => run.Error.Length > 0 && (filter with { AllKinds = true }).Matches(run with { Error = "" }))
            .ToLookup(run => SummaryKey.Of(run));
        return new EventReading<FirstCallResult>(
            [.. passes.SelectMany(pair => pair.Process.Requests(pair.Pass))],
            results => Result(passes, failed, results)
        );
    }

    private static FirstCallResult Result(
        List<(TracedProcess Process, FirstCallPass Pass)> passes,
        ILookup<SummaryKey, Run> failed,
        IReadOnlyDictionary<ITraceSource, TraceReadResult> results
    )
    {
        var measures = passes.SelectMany(pair =>
            pair.Pass.Runs.Select(run => new FirstCallMeasures(run, pair.Process, pair.Pass, results))
        );
        var rows = measures
            .GroupBy(call => SummaryKey.Of(call.Run))
            .Select(group => WholeRuns.Counted([.. group], call => call.Run))
            .ToList();
        var speeds = rows.GroupBy(row => row[0].Run.Identity.Serializer).ToDictionary(own => own.Key, Speed);
        var sorted = rows.ToDictionary(row => SummaryKey.Of(row[0].Run)).OrderBy(row => Place(row.Key)).ToList();
        return new FirstCallResult(
            [
                .. sorted
                    .Select(row => FirstCallRows.Create(row.Value, failed[row.Key].Count()))
                    .Concat(failed.Where(runs => !sorted.Exists(row => row.Key == runs.Key)).Select(FirstCallRows.Failed))
                    .OrderBy(row => Place(row.Key)),
            ],
            [.. sorted.SelectMany(row => FirstCallRows.Assemblies(row.Value))],
            Problems(passes.ConvertAll(pair => pair.Process))
        );

        (double Speed, string Serializer, string Runtime, int Kind, int Objects, int Payload) Place(SummaryKey key) =>
            (
                speeds.GetValueOrDefault(key.Serializer, double.MaxValue),
                key.Serializer,
                key.Runtime,
                Kind(key.Operation),
                key.ObjectCount,
                key.PayloadBytes
            );
    }

    /// <summary>Key by which serializers are ordered: the shortest median of a first use, in ms; the bare runtime comes first.</summary>
    private static double Speed(IEnumerable<IReadOnlyList<FirstCallMeasures>> rows)
    {
        var all = rows.ToList();
        var uses = all.Where(row => Kind(row[0].Run.Identity.Operation) >= Array.IndexOf(s_kinds, RunOperation.FirstSerialize)).ToList();
        return all.Exists(row => Kind(row[0].Run.Identity.Operation) == 0)
            ? -1
            : (uses.Count > 0 ? uses : all).Min(row => Statistics.Median([.. row.Select(call => call.WallMs)])!.Value);
    }

    private static int Kind(string operation) => Array.IndexOf(s_kinds, operation) is >= 0 and var kind ? kind : s_kinds.Length;

    private static List<string> Problems(List<TracedProcess> processes)
    {
        var problems = new List<string>();
        Say(EventKinds.Jit, "compilations were", "record session 'code'");
        Say(EventKinds.AssemblyLoads, "assembly loads were", "record session 'code'");
        Say(EventKinds.AssemblyBinds, "failed assembly loads were", "--startup assemblies records them");
        Say(EventKinds.TypeLoads, "type loads were", "--startup all records them");
        Say(EventKinds.PrecompiledMethods, "precompiled methods were", "--startup all records them");
        return problems;

        void Say(EventKinds kind, string what, string advice)
        {
            if (processes.Count(process => (process.Kinds & kind) == 0) is > 0 and var without)
                problems.Add($"{what} not recorded in {without} of {Plural.Of(processes.Count, "process")}: {advice}");
        }
    }
}
