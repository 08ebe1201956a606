using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>The symbols of processes, each read once for all that show its stacks.</summary>
/// <param name="files">Symbols of libraries and of the kernel.</param>
/// <param name="withLines">Whether frames get their source lines.</param>
public sealed class SymbolReading(SymbolFiles files, bool withLines = false)
{
    /// <summary>What was asked for, by process: filled when its requests were answered.</summary>
    private readonly Dictionary<ProcessKey, (TracedProcess Process, ManagedCodeMap Methods, ProcessLayout Layout)> _read = [];
    private readonly Dictionary<ProcessKey, ProcessSymbols> _symbols = [];

    /// <summary>Names of methods, which the processes of a recording have in common.</summary>
    private readonly TextPool _texts = new();

    /// <summary>Symbols of libraries and of the kernel.</summary>
    internal SymbolFiles Files => files;

    /// <summary>Why names are missing from what was resolved so far, but for those of PDB files.</summary>
    internal IReadOnlyList<string> Problems => files.OwnProblems;

    /// <summary>Begins a process whose code and layout the caller reads in passes of its own; null when they were asked for before.</summary>
    internal (ManagedCodeMap Methods, ProcessLayout Layout)? TryBegin(TracedProcess process)
    {
        var (methods, layout) = (new ManagedCodeMap(_texts, withLines), new ProcessLayout());
        return _read.TryAdd(process.Key, (process, methods, layout)) ? (methods, layout) : null;
    }

    /// <summary>What has to be read of a process before <see cref="Of"/> is called; nothing when that was asked for before.</summary>
    internal IReadOnlyList<TraceRequest> Requests(TracedProcess process) =>
        TryBegin(process) is var (methods, layout) ? [.. process.Requests(methods), .. process.Requests(layout)] : [];

    /// <summary>The symbols of a process.</summary>
    /// <exception cref="IOException">They were not read yet, and a file cannot be read any more.</exception>
    internal ProcessSymbols Of(TracedProcess process)
    {
        if (_symbols.TryGetValue(process.Key, out var known))
            return known;
        TraceReading.Read(Requests(process));
        var (_, methods, layout) = _read[process.Key];
        return _symbols[process.Key] = ProcessSymbols.Of(process, methods, layout, files);
    }
}
