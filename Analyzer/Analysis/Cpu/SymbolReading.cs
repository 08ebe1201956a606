using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Symbols of processes, read once for all reports with their stacks.</summary>
/// <param name="files">Symbols of libraries and of the kernel.</param>
/// <param name="withLines">Whether frames get source lines.</param>
public sealed class SymbolReading(SymbolFiles files, bool withLines = false)
{
    /// <summary>Requested symbols by process; filled when the requests are answered.</summary>
    private readonly Dictionary<ProcessKey, (TracedProcess Process, ManagedCodeMap Methods, ProcessLayout Layout)> _read = [];
    private readonly Dictionary<ProcessKey, ProcessSymbols> _symbols = [];
    private readonly CodePointsPool _points = new();

    /// <summary>Symbols of libraries and of the kernel.</summary>
    internal SymbolFiles Files => files;

    /// <summary>Reasons for missing names so far, except those of PDB files.</summary>
    internal IReadOnlyList<string> Problems => files.OwnProblems;

    /// <summary>Starts a process whose code and layout the caller reads in its own passes; null when already requested.</summary>
    internal (ManagedCodeMap Methods, ProcessLayout Layout)? TryBegin(TracedProcess process)
    {
        var (methods, layout) = (new ManagedCodeMap(files.Texts, withLines ? _points : null), new ProcessLayout(files.Texts));
        return _read.TryAdd(process.Key, (process, methods, layout)) ? (methods, layout) : null;
    }

    /// <summary>Requests that must be answered before <see cref="Of"/>; none when already requested.</summary>
    internal IReadOnlyList<TraceRequest> Requests(TracedProcess process) =>
        TryBegin(process) is var (methods, layout) ? [.. process.Requests(methods), .. process.Requests(layout)] : [];

    /// <summary>Returns the symbols of a process.</summary>
    /// <exception cref="IOException">They have not been read, and a file became unreadable.</exception>
    internal ProcessSymbols Of(TracedProcess process)
    {
        if (_symbols.TryGetValue(process.Key, out var known))
            return known;
        TraceReading.Read(Requests(process));
        var (_, methods, layout) = _read[process.Key];
        return _symbols[process.Key] = ProcessSymbols.Of(process, methods, layout, files);
    }
}
