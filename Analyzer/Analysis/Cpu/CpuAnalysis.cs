using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Attributes CPU samples to methods, modules, namespaces or threads, inside the windows of known runs.</summary>
public static class CpuAnalysis
{
    /// <summary>Whether any process has CPU samples.</summary>
    public static bool HasSamples(IReadOnlyList<TracedProcess> processes) =>
        processes.Any(process => (process.Kinds & EventKinds.CpuSamples) != 0);

    /// <summary>
    /// Analyzes the samples in two passes: code and layout, then samples. A <see cref="CpuReading"/> passed to
    /// <see cref="RunAnalysis"/> needs no passes of its own.
    /// </summary>
    /// <param name="processes">Processes with their sources.</param>
    /// <param name="runs">Their runs.</param>
    /// <param name="query">The query.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <exception cref="NoRunMatchesException">No run matches the filter.</exception>
    /// <exception cref="UnknownProcessException">No process has the requested name.</exception>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static CpuResult Run(IReadOnlyList<TracedProcess> processes, IReadOnlyList<Run> runs, CpuQuery query, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(query);
        var reading = new CpuReading(query, new SymbolReading(files, withLines: query.Grouping == CpuGrouping.Line));
        TraceReading.Read(reading.Prepare(processes));
        TraceReading.Read(reading.Begin(runs));
        return reading.Result();
    }
}
