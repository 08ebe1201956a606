namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Keywords of Microsoft-Windows-DotNETRuntime (src/coreclr/vm/ClrEtwAll.man in dotnet/runtime).</summary>
[Flags]
public enum RuntimeKeywords : ulong
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>GCs, suspensions; at Verbose also allocation ticks.</summary>
    Gc = 0x1,

    /// <summary>
    /// Assembly searches (AssemblyLoadStart, ResolutionAttempted …), .NET 5 and later; on .NET Framework the same bit is Binder.
    /// </summary>
    AssemblyLoader = 0x4,

    /// <summary>Module and assembly loads.</summary>
    Loader = 0x8,

    /// <summary>Jitted methods; at Verbose also the start of each compilation.</summary>
    Jit = 0x10,

    /// <summary>Precompiled methods.</summary>
    Ngen = 0x20,

    /// <summary>Names of all methods when the provider is enabled, or the process starts (rundown provider: DCStart events).</summary>
    StartEnumeration = 0x40,

    /// <summary>Names of all methods when the provider is disabled, or the process ends.</summary>
    EndEnumeration = 0x80,

    /// <summary>Lock contention.</summary>
    Contention = 0x4000,

    /// <summary>Thrown exceptions.</summary>
    Exception = 0x8000,

    /// <summary>Thread creation and the thread pool.</summary>
    Threading = 0x10000,

    /// <summary>IL offsets of a jitted method's code.</summary>
    JittedMethodILToNativeMap = 0x20000,

    /// <summary>Type names (BulkType).</summary>
    Type = 0x80000,

    /// <summary>The runtime's own stack after each of its events (ClrStackWalk), for when ETW takes none.</summary>
    Stack = 0x40000000,

    /// <summary>
    /// Thrown exceptions only. <see cref="Exception"/> adds, at Informational, the start and end of each catch, finally and filter block
    /// with a stack each, which takes longer than throwing.
    /// </summary>
    Monitoring = 0x200000000,

    /// <summary>Used precompiled methods (R2RGetEntryPoint), level Verbose.</summary>
    CompilationDiagnostic = 0x2000000000,

    /// <summary>Names of inlined methods (MethodDetails).</summary>
    MethodDetails = 0x4000000000,

    /// <summary>Start and end of type loads, .NET 5 and later.</summary>
    TypeDiagnostic = 0x8000000000,

    /// <summary>WaitHandle and Monitor waits, .NET 9 and later, level Verbose.</summary>
    WaitHandle = 0x40000000000,

    /// <summary>AllocationSampled, .NET 10 and later.</summary>
    AllocationSampling = 0x80000000000,
}
