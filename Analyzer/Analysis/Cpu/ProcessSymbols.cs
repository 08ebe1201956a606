using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What the addresses of a process mean and how its threads are named: read once, for every report that shows stacks.</summary>
/// <param name="Layout">Files mapped, threads and their names.</param>
/// <param name="Resolver">Symbols.</param>
internal sealed record ProcessSymbols(ProcessLayout Layout, SymbolResolver Resolver)
{
    /// <summary>Reads a process's methods and its layout, a pass each.</summary>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static ProcessSymbols Read(TracedProcess process, SymbolFiles files)
    {
        var methods = new ManagedCodeMap();
        process.Read(methods, TraceCapabilities.MethodCode);
        var layout = new ProcessLayout();
        process.Read(layout, TraceCapabilities.ProcessLayout);
        return new ProcessSymbols(layout, new SymbolResolver(process.ProcessId, methods, layout, files));
    }

    /// <summary>Why methods of a process have no names; null when they have.</summary>
    public static string? Problem(TracedProcess process) =>
        (process.Capabilities & TraceCapabilities.MethodCode) != 0 ? null : $"methods of process {process.ProcessId} have no names: no method events were recorded (session 'code')";
}
