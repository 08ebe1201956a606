using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>What the addresses of a process mean and how its threads are named: read once, for every report that shows stacks.</summary>
/// <param name="Layout">Files mapped, threads and their names.</param>
/// <param name="Resolver">Symbols.</param>
internal sealed record ProcessSymbols(ProcessLayout Layout, SymbolResolver Resolver)
{
    /// <summary>Whether the trace says what was inlined.</summary>
    public bool HasInlineTrees { get; private init; }

    /// <summary>Which inline trees could not be used; null when all could.</summary>
    public string? InlineTreeProblem { get; private init; }

    /// <summary>Puts together what was read.</summary>
    public static ProcessSymbols Of(TracedProcess process, ManagedCodeMap methods, ProcessLayout layout, SymbolFiles files) =>
        new(layout, new SymbolResolver(process.ProcessId, methods, layout, files.Of(process.Label)))
        {
            HasInlineTrees = methods.InlineTrees > 0,
            InlineTreeProblem = methods.RefusedInlineTrees == 0
                ? null
                : string.Create(CultureInfo.InvariantCulture, $"inlined frames of {Plural.Of(methods.RefusedInlineTrees, "method")} of {process.Key} are missing: their inline trees are incomplete or damaged ({methods.InlineTrees} others are not)"),
        };

    /// <summary>Why methods of a process have no names; null when they have.</summary>
    public static string? Problem(TracedProcess process) =>
        (process.Kinds & EventKinds.MethodCode) != 0 ? null : $"methods of {process.Key} have no names: no method events were recorded (session 'code')";
}
