using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Attributes CPU samples to methods, modules, namespaces or threads, inside the windows of the runs. It reads methods and layout before
/// the runs are known, and the samples together with the runs' costs. <see cref="CpuAnalysis"/> does the same for known runs.
/// </summary>
/// <param name="query">The query.</param>
/// <param name="symbols">Symbols of the processes.</param>
public sealed class CpuReading(CpuQuery query, SymbolReading symbols) : IRunReader
{
    private readonly CpuTotals _totals = new();
    private readonly CallTree? _tree = query.Tree is null ? null : new CallTree(CallTreeQuery.Deepest);

    /// <summary>The selected processes.</summary>
    private readonly List<(TracedProcess Process, GcPauses Pauses)> _chosen = [];
    private readonly List<string> _problems = [];

    /// <summary>Processes without events of methods. Files may name their methods: programs that NativeAOT compiled, perf maps.</summary>
    private readonly List<(ProcessSymbols Symbols, string Problem)> _withoutMethodEvents = [];
    private readonly List<TracedProcess> _read = [];
    private readonly HashSet<Run> _counted = [];
    private readonly List<WaitTree> _waits = [];
    private readonly List<InstructionTally> _instructions = [];

    /// <summary>Symbol resolvers of processes that recorded inlining.</summary>
    private readonly List<SymbolResolver> _expanding = [];

    /// <inheritdoc />
    /// <exception cref="UnknownProcessException">No process has the requested name.</exception>
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        ArgumentNullException.ThrowIfNull(processes);
        var requests = new List<TraceRequest>();
        foreach (var process in query.Process is { } name ? ProcessChoice.Find(processes, name) : processes)
        {
            if ((process.Kinds & EventKinds.CpuSamples) == 0)
                continue;
            var pauses = new GcPauses();
            _chosen.Add((process, pauses));
            requests.AddRange(symbols.Requests(process));
            requests.AddRange(process.Requests(pauses));
        }

        return requests;
    }

    /// <inheritdoc />
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var matching = NoRunMatchesException.Chosen(query.Filter, runs).ToHashSet();
        var requests = new List<TraceRequest>();
        var several = runs.Any(run => run.IsOneOfSeveralRuntimes);
        foreach (var (process, pauses) in _chosen)
        {
            var own = runs.Where(run => run.Process == process.Key).OrderBy(run => run.StartTicks).ToList();
            var isMeasured = own.Exists(matching.Contains);
            if (!isMeasured && query.Process is null)
                continue;
            var named = symbols.Of(process);
            if (ProcessSymbols.Problem(process) is { } problem)
                _withoutMethodEvents.Add((named, problem));
            if (named.InlineTreeProblem is { } refused)
                _problems.Add(refused);
            if (named.HasInlineTrees)
                _expanding.Add(named.Resolver);

            // A process without runs counts during the runs of others in its recording.
            var others = isMeasured ? [] : matching.Where(run => run.Process.Recording == process.Label).ToList();
            var windows = isMeasured ? RunWindows.Of(own) : RunWindows.Union(others);
            IReadOnlyList<bool> counts = isMeasured ? [.. own.Select(matching.Contains)] : [.. windows.Tallies.Select(_ => true)];
            _counted.UnionWith(isMeasured ? own.Where(matching.Contains) : others);
            if (query.WithWaits && (process.Kinds & (EventKinds.SwitchOutStacks | EventKinds.SwitchInStacks)) != 0)
            {
                var waits = new WaitTree(
                    windows,
                    counts,
                    named,
                    query.Grouping,
                    _tree!,
                    several ? process.RuntimeName : "",
                    query.JustMyCode ? new MyFrames(named.Resolver) : null
                );
                _waits.Add(waits);
                requests.AddRange(process.Requests(waits.Threads));
            }
            else if (query.WithWaits)
            {
                _problems.Add(
                    $"waits of {process.Key} are not in the tree: its context switches have no stacks (recording them needs root, CAP_PERFMON or kernel.perf_event_paranoid=1)"
                );
            }

            var instructions = query is { WithInstructions: true, Grouping: CpuGrouping.Line }
                ? new InstructionTally(named.Resolver, process)
                : null;
            if (instructions is not null)
                _instructions.Add(instructions);
            var causes = query.Grouping == CpuGrouping.Line ? new LineCauses(named, process.Sources[0].Clock.TicksPerSecond) : null;
            requests.AddRange(
                process.Requests(
                    new SampleAttribution(
                        windows,
                        counts,
                        named,
                        pauses,
                        query.Grouping,
                        _totals,
                        _tree,
                        query.Tags,
                        several ? process.RuntimeName : "",
                        instructions,
                        causes,
                        query.JustMyCode ? new MyFrames(named.Resolver) : null
                    )
                )
            );
            _read.Add(process);
        }

        return requests;
    }

    /// <summary>Returns the result, after the samples were read.</summary>
    public CpuResult Result()
    {
        var ticksPerSecond = _read.Count > 0 ? _read[^1].Sources[0].Clock.TicksPerSecond : 1_000_000_000L;
        _waits.ForEach(waits => waits.Threads.End());
        var hasKernel = _read.TrueForAll(process => (process.Details & EventDetails.KernelSamples) != 0);
        var rows = _totals.Rows(query.ByInclusive, hasKernel, ticksPerSecond);
        return new CpuResult
        {
            Query = query,
            Rows = query.Top is { } top && top < rows.Count ? rows.GetRange(0, top) : rows,
            RowsTotal = _tree?.Count ?? rows.Count,
            Tree = query.Tree is { } shown ? _tree!.Rows(shown, _totals.Ticks + _tree.WaitTicks, ticksPerSecond) : null,
            WaitMs = _waits.Count > 0 ? _tree!.WaitTicks * 1e3 / ticksPerSecond : null,
            IdleMs = _waits.Count > 0 ? _waits.Sum(waits => waits.IdleTicks) * 1e3 / ticksPerSecond : null,
            FoldedMs = query.JustMyCode ? _totals.FoldedTicks * 1e3 / ticksPerSecond : null,
            MsWithoutMine = query.JustMyCode ? _totals.TicksWithoutMine * 1e3 / ticksPerSecond : null,
            CutSamples = _tree?.CutSamples ?? 0,
            Processes = [.. _read.Select(process => process.Title)],
            Runs = _counted.Count,
            Samples = _totals.Samples,
            CpuMs = _totals.Ticks * 1e3 / ticksPerSecond,
            KernelSamples = hasKernel ? _totals.KernelSamples : null,
            NamedLeaves = _totals.NamedLeaves,
            ManagedLeaves = _totals.ManagedLeaves,
            NamedManagedLeaves = _totals.NamedManagedLeaves,
            StubLeaves = _totals.StubLeaves,
            LeavesWithLine = query.Grouping == CpuGrouping.Line ? _totals.LeavesWithLine : null,
            BrokenStacks = _totals.BrokenStacks,
            ExpandedStacks = _expanding.Count > 0 ? _totals.ExpandedStacks : null,
            UnexpandedFrames = _expanding.Count > 0 ? _expanding.Sum(resolver => resolver.UnexpandedFrames) : null,
            InlinedMethods = _expanding.Count > 0 ? _expanding.Sum(resolver => resolver.InlinedMethods) : null,
            NamedInlinedMethods = _expanding.Count > 0 ? _expanding.Sum(resolver => resolver.NamedInlinedMethods) : null,
            RecoveredStacks = _totals.Dumps > 0 || _totals.Samples == 0 ? _totals.RecoveredStacks : null,
            Instructions = _instructions.Count > 0 ? new InstructionCosts(_instructions, ticksPerSecond) : null,
            SymbolProblems =
            [
                .. _withoutMethodEvents.Where(item => !item.Symbols.HasMethodsOfFiles).Select(item => item.Problem),
                .. _problems,
                .. symbols.Files.Problems,
            ],
        };
    }
}
