using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>What first calls are made of: compilation and the rest, types, assemblies, code made on the way.</summary>
public static class FirstCallAnalysis
{
    private const TraceCapabilities Wanted = TraceCapabilities.Jit | TraceCapabilities.Startup;

    /// <summary>The start-up kinds of the suite in the order in which a row's cost contains that of the row before; others come behind them.</summary>
    private static readonly string[] s_kinds = [RunOperation.StartRuntime, RunOperation.Construct, RunOperation.FirstSerialize, RunOperation.FirstDeserialize];

    /// <summary>Analyses first calls in one pass over each file.</summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="filter">Which first calls count.</param>
    /// <exception cref="NoRunMatchesException">There are none, or the filter leaves none over.</exception>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static FirstCallResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, RunFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        var calls = runs.Where(run => run.Identity.Kind == RunKind.FirstCall).ToList();
        var counted = calls.Where((filter with { AllKinds = true }).Matches).ToList();
        if (counted.Count == 0)
            throw new NoRunMatchesException(calls);

        var passes = counted.GroupBy(run => run.ProcessId).Select(own => (Process: processes.First(process => process.ProcessId == own.Key), Pass: new FirstCallPass([.. own]))).ToList();
        var results = TraceReading.Read(passes.SelectMany(pair => pair.Process.Requests(pair.Pass, Wanted)));
        var measures = passes.SelectMany(pair => pair.Pass.Runs.Select(run => new FirstCallMeasures(run, pair.Process, pair.Pass, results)));
        var rows = measures.GroupBy(call => SummaryKey.Of(call.Run.Identity)).Select(group => group.ToList()).ToList();
        var speeds = rows.GroupBy(row => row[0].Run.Identity.Serializer).ToDictionary(own => own.Key, Speed);
        var failed = calls.Where(run => run.Error.Length > 0 && (filter with { AllKinds = true }).Matches(run with { Error = "" })).GroupBy(run => SummaryKey.Of(run.Identity)).ToList();
        var sorted = rows.OrderBy(row => speeds[row[0].Run.Identity.Serializer]).ThenBy(row => row[0].Run.Identity.Serializer, StringComparer.Ordinal)
            .ThenBy(row => Kind(row[0].Run)).ThenBy(row => row[0].Run.Identity.ObjectCount).ThenBy(row => row[0].Run.Identity.PayloadBytes).ToList();
        return new FirstCallResult(
            [
                .. sorted.Select(row => FirstCallRows.Create(row, failed.Find(runs => runs.Key == SummaryKey.Of(row[0].Run.Identity))?.Count() ?? 0)),
                .. failed.Where(runs => !rows.Exists(row => SummaryKey.Of(row[0].Run.Identity) == runs.Key)).Select(FirstCallRows.Failed),
            ],
            [.. sorted.SelectMany(FirstCallRows.Assemblies)],
            Problems(passes.ConvertAll(pair => pair.Process)));
    }

    /// <summary>Serializers are sorted by their shortest row that has all they need; the runtime alone comes first.</summary>
    private static double Speed(IEnumerable<List<FirstCallMeasures>> rows)
    {
        var all = rows.ToList();
        var uses = all.Where(row => Kind(row[0].Run) >= Array.IndexOf(s_kinds, RunOperation.FirstSerialize)).ToList();
        return all.Exists(row => Kind(row[0].Run) == 0) ? -1 : (uses.Count > 0 ? uses : all).Min(row => Statistics.Median([.. row.Select(call => call.WallMs)])!.Value);
    }

    private static int Kind(Run run) => Array.IndexOf(s_kinds, run.Identity.Operation) is >= 0 and var kind ? kind : s_kinds.Length;

    private static List<string> Problems(List<TracedProcess> processes)
    {
        var problems = new List<string>();
        Say(TraceCapabilities.Jit, "compilations were", "record session 'code'");
        Say(TraceCapabilities.AssemblyLoads, "assembly loads were", "record session 'code'");
        Say(TraceCapabilities.AssemblySearches, "failed assembly loads were", "--startup assemblies records them");
        Say(TraceCapabilities.TypeLoads, "type loads were", "--startup all records them");
        Say(TraceCapabilities.PrecompiledMethods, "precompiled methods were", "--startup all records them");
        return problems;

        void Say(TraceCapabilities kind, string what, string advice)
        {
            if (processes.Count(process => (process.Capabilities & kind) == 0) is > 0 and var without)
                problems.Add($"{what} not recorded in {without} of {processes.Count} processes: {advice}");
        }
    }
}
