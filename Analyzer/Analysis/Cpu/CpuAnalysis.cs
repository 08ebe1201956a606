using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Attributes CPU samples to methods, modules, namespaces or threads, inside the windows of the runs.</summary>
public static class CpuAnalysis
{
    /// <summary>Whether any process has CPU samples.</summary>
    public static bool HasSamples(IReadOnlyList<TracedProcess> processes) => processes.Any(process => (process.Capabilities & TraceCapabilities.CpuSamples) != 0);

    /// <summary>Analyses the samples in three passes over each process: its code, its layout, its samples.</summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="UnknownProcessException">No process has the name that was asked for.</exception>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static CpuResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, CpuQuery query, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(processes);
        ArgumentNullException.ThrowIfNull(runs);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(files);
        var matching = runs.Where(query.Filter.Matches).ToHashSet();
        if (matching.Count == 0)
            throw new NoRunMatchesException(runs);

        var chosen = query.Process is { } name ? ProcessChoice.Find(processes, name) : processes;
        var totals = new CpuTotals();
        var tree = query.Tree is null ? null : new CallTree(CallTreeQuery.Deepest);
        var problems = new List<string>();
        var read = new List<TracedProcess>();
        var counted = new HashSet<Run>();
        var ticksPerSecond = 1_000_000_000L;
        var resolvers = new List<SymbolResolver>();
        foreach (var process in chosen)
        {
            var own = runs.Where(run => run.ProcessId == process.ProcessId).OrderBy(run => run.StartTicks).ToList();
            var isMeasured = own.Exists(matching.Contains);
            if ((process.Capabilities & TraceCapabilities.CpuSamples) == 0 || (!isMeasured && query.Process is null))
                continue;
            if (ProcessSymbols.Problem(process) is { } problem)
                problems.Add(problem);
            var symbols = ProcessSymbols.Read(process, files);

            // Of a process without runs of its own counts what it did during those of the others.
            var windows = isMeasured ? new RunWindows(own.Select(run => (run.StartTicks, run.StopTicks))) : RunWindows.Union(matching.Select(run => (run.StartTicks, run.StopTicks)));
            IReadOnlyList<bool> counts = isMeasured ? [.. own.Select(matching.Contains)] : [.. windows.Tallies.Select(_ => true)];
            counted.UnionWith(isMeasured ? own.Where(matching.Contains) : matching);
            process.Read(new SampleAttribution(windows, counts, symbols, query.Grouping, totals, tree, query.Tags), TraceCapabilities.CpuSamples);
            ticksPerSecond = process.Sources[0].Clock.TicksPerSecond;
            read.Add(process);
            if (symbols.InlineTreeProblem is { } refused)
                problems.Add(refused);
            if (symbols.HasInlineTrees)
                resolvers.Add(symbols.Resolver);
        }

        var hasKernel = read.TrueForAll(process => (process.Capabilities & TraceCapabilities.KernelSamples) != 0);
        var rows = totals.Rows(query.ByInclusive, hasKernel, ticksPerSecond);
        return new CpuResult
        {
            Query = query,
            Rows = query.Top is { } top && top < rows.Count ? rows.GetRange(0, top) : rows,
            RowsTotal = tree?.Count ?? rows.Count,
            Tree = query.Tree is { } shown ? tree!.Rows(shown, totals.Ticks, ticksPerSecond) : null,
            CutSamples = tree?.CutSamples ?? 0,
            Processes = [.. read.Select(process => $"{process.Program} {process.ProcessId}".Trim())],
            Runs = counted.Count,
            Samples = totals.Samples,
            CpuMs = totals.Ticks * 1e3 / ticksPerSecond,
            KernelSamples = hasKernel ? totals.KernelSamples : null,
            NamedLeafs = totals.NamedLeafs,
            ManagedLeafs = totals.ManagedLeafs,
            NamedManagedLeafs = totals.NamedManagedLeafs,
            StubLeafs = totals.StubLeafs,
            BrokenStacks = totals.BrokenStacks,
            ExpandedStacks = resolvers.Count > 0 ? totals.ExpandedStacks : null,
            InlinedMethods = resolvers.Count > 0 ? resolvers.Sum(resolver => resolver.InlinedMethods) : null,
            NamedInlinedMethods = resolvers.Count > 0 ? resolvers.Sum(resolver => resolver.NamedInlinedMethods) : null,
            RecoveredStacks = totals.Dumps > 0 || totals.Samples == 0 ? totals.RecoveredStacks : null,
            SymbolProblems = [.. problems, .. files.Problems],
        };
    }
}
