using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>Purpose of a keyword of the runtime's provider and cost of its events.</summary>
/// <param name="Keyword">The keyword.</param>
/// <param name="Level">Lowest level at which the profiles need it.</param>
/// <param name="Brings">Purpose of its events.</param>
/// <param name="Cost">Number of events in words; not measured separately.</param>
public sealed record RuntimeKeywordCost(RuntimeKeywords Keyword, string Level, string Brings, string Cost)
{
    /// <summary>All keywords that a preset uses, by value. A test compares them with the presets.</summary>
    public static IReadOnlyList<RuntimeKeywordCost> All { get; } =
    [
        new(
            RuntimeKeywords.Gc,
            "Informational",
            "GCs, their pauses, why the runtime was suspended",
            "about 20 events per GC; at Verbose also an event per 100 KB allocated, which lengthens pauses: only in `alloc`, where an event filter drops everything else"
        ),
        new(
            RuntimeKeywords.AssemblyLoader,
            "Informational",
            "assembly binds (.NET 5 and later), with failed attempts; on .NET Framework the same bit is Binder",
            "a few events per assembly; lengthens first calls"
        ),
        new(RuntimeKeywords.Loader, "Informational", "modules and assemblies, also dynamic ones", "two events per load"),
        new(
            RuntimeKeywords.Jit,
            "Verbose",
            "which methods are compiled, how long it takes, where their code is",
            "two events per compiled method, none in steady state"
        ),
        new(
            RuntimeKeywords.Ngen,
            "Informational",
            "addresses of precompiled methods",
            "an event per method at its first use; many when a program starts"
        ),
        new(
            RuntimeKeywords.Contention,
            "Informational",
            "waits for locks",
            "two events per wait that spinning could not avoid, the first with its stack"
        ),
        new(
            RuntimeKeywords.Exception,
            "Informational",
            "thrown exceptions",
            "four events per exception, the first with its stack; cheap compared with the throw"
        ),
        new(
            RuntimeKeywords.Threading,
            "Informational",
            "threads and the thread pool",
            "few, except in programs that queue much work to the pool"
        ),
        new(RuntimeKeywords.Type, "Informational", "names of types", "one event for many types"),
        new(
            RuntimeKeywords.CompilationDiagnostic,
            "Verbose",
            "which precompiled methods are used or missing",
            "an event per method at its first use"
        ),
        new(RuntimeKeywords.MethodDetails, "Verbose", "names of inlined methods", "an event per compiled method"),
        new(RuntimeKeywords.TypeDiagnostic, "Informational", "type loads (.NET 5 and later)", "two events per type; lengthens first calls"),
        new(
            RuntimeKeywords.WaitHandle,
            "Verbose",
            "waits of WaitHandle and Monitor (.NET 9 and later)",
            "two events per wait, including the marker thread's"
        ),
        new(
            RuntimeKeywords.AllocationSampling,
            "Informational",
            "sampled allocations (.NET 10)",
            "on average an event per 100 KB allocated, with its stack"
        ),
    ];
}
