using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>What a keyword of the runtime's provider brings and what its events cost.</summary>
/// <param name="Keyword">The keyword.</param>
/// <param name="Level">Lowest level at which it is worth asking for here.</param>
/// <param name="Brings">What it is for.</param>
/// <param name="Cost">How many events, in words: none was measured by itself.</param>
public sealed record RuntimeKeywordCost(RuntimeKeywords Keyword, string Level, string Brings, string Cost)
{
    /// <summary>All keywords that a preset asks for, by value. A test holds it to the presets.</summary>
    public static IReadOnlyList<RuntimeKeywordCost> All { get; } =
    [
        new(RuntimeKeywords.Gc, "Informational", "collections, their pauses, why the runtime was suspended", "some 20 events a collection; at Verbose also an event for every 100 KB allocated, which lengthens pauses: only in `alloc`, where an event filter lets nothing else through"),
        new(RuntimeKeywords.AssemblyLoader, "Informational", "how assemblies are looked for (.NET 5 and later), with the attempts that fail; on .NET Framework the same bit is Binder", "a few events an assembly; lengthens first calls"),
        new(RuntimeKeywords.Loader, "Informational", "modules and assemblies, dynamic ones too", "two events a load"),
        new(RuntimeKeywords.Jit, "Verbose", "which methods are compiled, how long it takes, where their code lies", "two events a compiled method, none in steady state"),
        new(RuntimeKeywords.Ngen, "Informational", "where precompiled methods lie", "an event a method that is first used; many when a program starts"),
        new(RuntimeKeywords.Contention, "Informational", "waits for locks", "two events a wait that could not be avoided by spinning, the first with its stack"),
        new(RuntimeKeywords.Exception, "Informational", "exceptions thrown", "four events an exception, the first with its stack; small beside the throwing"),
        new(RuntimeKeywords.Threading, "Informational", "threads and the thread pool", "few, but for programs that queue much work to the pool"),
        new(RuntimeKeywords.Type, "Informational", "names of types", "an event for many types at once"),
        new(RuntimeKeywords.CompilationDiagnostic, "Verbose", "which precompiled methods are used or missing", "an event a method that is first used"),
        new(RuntimeKeywords.MethodDetails, "Verbose", "names of methods that were inlined", "an event a compiled method"),
        new(RuntimeKeywords.TypeDiagnostic, "Informational", "loads of types (.NET 5 and later)", "two events a type; lengthens first calls"),
        new(RuntimeKeywords.WaitHandle, "Verbose", "waits of WaitHandle and Monitor (.NET 9 and later)", "two events a wait; the marker thread's among them"),
        new(RuntimeKeywords.AllocationSampling, "Informational", "sampled allocations (.NET 10)", "on average an event for every 100 KB allocated, with its stack"),
    ];
}
