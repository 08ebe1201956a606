namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The compilation of a method begins (MethodJittingStarted); a view, valid during the call.</summary>
public readonly ref struct JitStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Jit;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>When and on which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>Size of its IL in bytes; null when it is not told.</summary>
    public int? IlBytes { get; init; }

    /// <summary>Managed return addresses, leaf first, of the code that needs the method; empty on threads of the runtime, or when they were not asked for.</summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A method has code (MethodLoad, MethodLoadVerbose); a view, valid during the call.</summary>
public readonly ref struct MethodLoaded : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Jit;

    /// <summary>When and on which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>The runtime's id of its module.</summary>
    public long ModuleId { get; init; }

    /// <summary>The method belongs to no assembly: it was emitted while the program ran, by the program or as a stub by the runtime.</summary>
    public bool IsDynamic { get; init; }

    /// <summary>False for precompiled (ReadyToRun) code, whose load costs no compilation.</summary>
    public required bool IsJitted { get; init; }

    /// <summary>How the code was made.</summary>
    public CodeTier Tier { get; init; }

    /// <summary>Bytes of code.</summary>
    public uint CodeBytes { get; init; }

    /// <summary>Full name of its type; empty when it is not told.</summary>
    public ReadOnlySpan<char> Namespace { get; init; }

    /// <summary>Its name; empty when it is not told.</summary>
    public ReadOnlySpan<char> Name { get; init; }
}

/// <summary>How a method's code was made, as bits 7 to 9 of MethodFlags number it (JitOptimizationTier in dotnet/runtime); code that was not jitted is <see cref="ReadyToRun"/>.</summary>
public enum CodeTier
{
    /// <summary>The runtime does not say.</summary>
    Unknown = 0,

    /// <summary>Compiled without optimization, for a debugger or by attribute.</summary>
    MinOpt = 1,

    /// <summary>Compiled once, optimized: tiered compilation does not apply.</summary>
    Optimized = 2,

    /// <summary>Compiled quickly; hot methods are compiled again.</summary>
    Tier0 = 3,

    /// <summary>Compiled again, optimized.</summary>
    Tier1 = 4,

    /// <summary>Optimized code that takes over a loop of the method's Tier0 code while that runs (on-stack replacement).</summary>
    Tier1Osr = 5,

    /// <summary>As Tier0, with counters for the optimization to come.</summary>
    Tier0Instrumented = 6,

    /// <summary>As Tier1, with counters.</summary>
    Tier1Instrumented = 7,

    /// <summary>Precompiled into the assembly.</summary>
    ReadyToRun = 8,
}
