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

        var totals = new CpuTotals();
        var problems = new List<string>();
        var ticksPerSecond = 1_000_000_000L;
        foreach (var process in processes)
        {
            var own = runs.Where(run => run.ProcessId == process.ProcessId).OrderBy(run => run.StartTicks).ToList();
            if ((process.Capabilities & TraceCapabilities.CpuSamples) == 0 || !own.Exists(matching.Contains))
                continue;
            if ((process.Capabilities & TraceCapabilities.MethodCode) == 0)
                problems.Add($"methods of process {process.ProcessId} have no names: no method events were recorded (session 'code')");
            var methods = new ManagedCodeMap();
            Read(process, methods, TraceCapabilities.MethodCode);
            var layout = new ProcessLayout();
            Read(process, layout, TraceCapabilities.ProcessLayout);
            var resolver = new SymbolResolver(process.ProcessId, methods, layout, files);
            var windows = new RunWindows(own.Select(run => (run.StartTicks, run.StopTicks)));
            Read(process, new SampleAttribution(windows, [.. own.Select(matching.Contains)], resolver, layout, query.Grouping, totals), TraceCapabilities.CpuSamples);
            ticksPerSecond = process.Sources[0].Clock.TicksPerSecond;
        }

        var rows = totals.Rows(query.ByInclusive, ticksPerSecond);
        return new CpuResult
        {
            Query = query,
            Rows = query.Top is { } top && top < rows.Count ? rows.GetRange(0, top) : rows,
            RowsTotal = rows.Count,
            Runs = matching.Count,
            Samples = totals.Samples,
            CpuMs = totals.Ticks * 1e3 / ticksPerSecond,
            KernelSamples = totals.KernelSamples,
            NamedLeafs = totals.NamedLeafs,
            ManagedLeafs = totals.ManagedLeafs,
            NamedManagedLeafs = totals.NamedManagedLeafs,
            BrokenStacks = totals.BrokenStacks,
            SymbolProblems = [.. problems, .. files.Problems],
        };
    }

    private static void Read(TracedProcess process, TraceVisitor visitor, TraceCapabilities wanted)
    {
        foreach (var (source, share) in process.Shares(wanted))
        {
            if (share != TraceCapabilities.None)
                source.Read(visitor, share);
        }
    }
}
