using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Async;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>Symbols and thread names of a process, read once for all reports with stacks.</summary>
/// <param name="Layout">Mapped files, threads and their names.</param>
/// <param name="Resolver">Symbols.</param>
internal sealed record ProcessSymbols(ProcessLayout Layout, SymbolResolver Resolver)
{
    /// <summary>Whether the trace recorded inlining.</summary>
    public bool HasInlineTrees { get; private init; }

    /// <summary>Describes unusable inline trees; null when all are usable.</summary>
    public string? InlineTreeProblem { get; private init; }

    /// <summary>
    /// Whether files name the methods at the resolved addresses: a program that NativeAOT compiled, or a perf map. Of a jitted program they
    /// name only precompiled methods.
    /// </summary>
    public bool HasMethodsOfFiles =>
        Resolver.Symbols.Any(symbol => symbol is { Kind: CodeKind.Managed, IsNamed: true })
        && !Resolver.Symbols.Any(symbol => symbol.Module == SymbolResolver.CodeHeap);

    /// <summary>Creates the symbols when all of the process's code was read.</summary>
    /// <exception cref="IOException">A file with steps of async methods became unreadable.</exception>
    public static ProcessSymbols Of(TracedProcess process, ManagedCodeMap methods, ProcessLayout layout, SymbolFiles files)
    {
        methods.Complete();
        return new ProcessSymbols(
            layout,
            new SymbolResolver(process.ProcessId, methods, layout, files.Of(process.Label)) { AsyncCalls = CallsOf(process) }
        )
        {
            HasInlineTrees = methods.InlineTrees > 0,
            InlineTreeProblem = ProblemOf(methods, process),
        };
    }

    /// <summary>
    /// Reads the calls of async methods, in esp-record's recordings a small file of its own; null when none were recorded. Not from traces
    /// of several processes, each of which would need one more pass over the whole file.
    /// </summary>
    private static AsyncCalls? CallsOf(TracedProcess process)
    {
        if ((process.Kinds & EventKinds.AsyncSteps) == 0)
            return null;
        var calls = new AsyncCalls();
        var requests = process.Requests(calls).ToList();
        if (requests.Exists(request => request.Source is ISharedTraceSource))
            return null;
        var gaps = new GapCollector();
        foreach (var gap in TraceReading.Read(requests).Values.SelectMany(result => result.Gaps))
            gaps.Add(gap.StartTicks, gap.StopTicks, gap.LostEvents);
        calls.Gaps = gaps.Gaps();
        return calls.Any ? calls : null;
    }

    private static string? ProblemOf(ManagedCodeMap methods, TracedProcess process)
    {
        (int Trees, string Fault)[] unusable =
        [
            (methods.RefusedInlineTrees, "incomplete or damaged"),
            (methods.InlineTreesWithoutCode, "without a load event of its code"),
        ];
        var faults = unusable.Where(kind => kind.Trees > 0).Select(kind => $"{Plural.Of(kind.Trees, "inline tree")} {kind.Fault}").ToList();
        return faults.Count == 0
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"inlined frames of {Plural.Of(unusable.Sum(kind => kind.Trees), "method")} of {process.Key} are missing: {string.Join(", ", faults)} ({methods.InlineTrees} others are complete)"
            );
    }

    /// <summary>Reason why methods of a process have no names; null when they have.</summary>
    public static string? Problem(TracedProcess process) =>
        (process.Kinds & EventKinds.MethodCode) != 0
            ? null
            : $"methods of {process.Key} have no names: no method events were recorded (session 'code')";
}
