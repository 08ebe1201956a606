using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Attributes CPU samples to methods, modules, namespaces or threads, inside the windows of runs that are known.</summary>
public static class CpuAnalysis
{
    /// <summary>Whether any process has CPU samples.</summary>
    public static bool HasSamples(IReadOnlyList<TracedProcess> processes) => processes.Any(process => (process.Kinds & EventKinds.CpuSamples) != 0);

    /// <summary>Analyses the samples in two passes: code and layout, samples. With <see cref="CpuReading"/> they are part of those of <see cref="RunAnalysis"/>.</summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">What is asked.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="UnknownProcessException">No process has the name that was asked for.</exception>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static CpuResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, CpuQuery query, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(query);
        var reading = new CpuReading(query, new SymbolReading(files, withLines: query.Grouping == CpuGrouping.Line));
        TraceReading.Read(reading.Prepare(processes));
        TraceReading.Read(reading.Begin(runs));
        return reading.Result();
    }
}
