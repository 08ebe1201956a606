using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.TestSupport;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// How many edges of the call trees of <c>cpu --tree</c>, and of the stacks of <c>alloc --by stack</c>, are impossible by the callers' IL.
/// </summary>
internal static class InlineSoundness
{
    /// <summary>Maximum number of listed impossible edges.</summary>
    private const int Listed = 10;

    public static Command Create()
    {
        var recordings = new Argument<string[]>("recording")
        {
            Description = "Folders of recordings with CPU samples and inline trees.",
            Arity = ArgumentArity.OneOrMore,
        };
        var command = new Command(
            "inline-soundness",
            "Edges of the call tree that the caller's IL does not allow; 1 when one of them leads to or from an inlined method."
        )
        {
            recordings,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(recordings)!, Console.Out));
        return command;
    }

    /// <summary>Prints the counts of each recording.</summary>
    /// <returns>0 when every edge to or from an inlined method is possible, else 1.</returns>
    private static async Task<int> RunAsync(IReadOnlyList<string> recordings, TextWriter output)
    {
        var exitCode = 0;
        foreach (var recording in recordings)
        {
            var input = TraceInputReader.Open([recording]);
            var modules = new ModulePaths();
            TraceReading.Read(input.Processes.SelectMany(process => process.Requests(modules)));
            using var calls = new CallIndex(modules.Paths);
            foreach (
                var (what, check) in new[] { ("call tree", Samples(input, calls)), ("allocations' stacks", Allocations(input, calls)) }
            )
            {
                if (check is null)
                    continue;
                await PrintAsync($"{recording}: edges of the {what} that the caller's IL does not allow", check, output)
                    .ConfigureAwait(false);
                if (check.Counts[CallTreeEdge.ToInlined].ImpossibleEdges + check.Counts[CallTreeEdge.FromInlined].ImpossibleEdges > 0)
                    exitCode = 1;
            }
        }

        return exitCode;
    }

    private static async Task PrintAsync(string title, CallTreeCheck check, TextWriter output)
    {
        await output.WriteLineAsync(title).ConfigureAwait(false);
        await output.WriteLineAsync("| edge | edges | impossible | % | samples | impossible | % |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var (kind, count) in check.Counts)
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {Name(kind)} | {count.Edges} | {count.ImpossibleEdges} | {Percent(count.ImpossibleEdges, count.Edges):F2} | {count.Samples} | {count.ImpossibleSamples} | {Percent(count.ImpossibleSamples, count.Samples):F2} |"
                    )
                )
                .ConfigureAwait(false);
        foreach (var (kind, caller, callee, samples) in check.Impossible.Take(Listed))
            await output.WriteLineAsync(Invariant($"{samples,8} samples, {Name(kind)}: {caller} → {callee}")).ConfigureAwait(false);
    }

    private static CallTreeCheck Samples(TraceInput input, CallIndex calls)
    {
        var query = new CpuQuery(CpuGrouping.Method, true, new RunFilter { AllKinds = true }, null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
        };
        var cpu = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, SymbolFiles.Of(input));
        var check = new CallTreeCheck(calls);
        check.Add(
            cpu.Tree!.Select(row =>
                (row.Depth, row.Module, row.Kind == CodeKind.Managed ? row.Name : "", row.IsInlined, row.InclusiveSamples)
            )
        );
        return check;
    }

    /// <summary>Null when allocations were not recorded.</summary>
    private static CallTreeCheck? Allocations(TraceInput input, CallIndex calls)
    {
        if (input.Processes.All(process => (process.Kinds & (EventKinds.AllocationSamples | EventKinds.AllocationTicks)) == 0))
            return null;
        var query = new EventQuery(new RunFilter { AllKinds = true }, null);
        var check = new CallTreeCheck(calls);
        foreach (
            var row in AllocationAnalysis
                .Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, AllocationGrouping.Stack, SymbolFiles.Of(input))
                .AllRows
        )
            check.AddPath((row.Stack ?? []).Select(frame => (frame.Method.Module, frame.Method.Name, frame.IsInlined)), row.Events);
        return check;
    }

    private static string Name(CallTreeEdge kind) =>
        kind switch
        {
            CallTreeEdge.ToInlined => "caller → inlined method",
            CallTreeEdge.FromInlined => "inlined method → method",
            _ => "method → method",
        };

    private static double Percent(long part, long all) => 100.0 * part / Math.Max(all, 1);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
