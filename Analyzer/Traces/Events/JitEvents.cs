namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The compilation of a method begins (MethodJittingStarted); a view, valid during the call.</summary>
public readonly ref struct JitStarted : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Jit;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>Size of its IL in bytes; null when missing.</summary>
    public int? IlBytes { get; init; }

    /// <summary>
    /// Managed return addresses, leaf first, of the code that needs the method; empty on runtime threads, or when not requested.
    /// </summary>
    public ReadOnlySpan<ulong> Stack { get; init; }
}

/// <summary>A method has code (MethodLoad, MethodLoadVerbose); a view, valid during the call.</summary>
public readonly ref struct MethodLoaded : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Jit;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>The runtime's id of its module.</summary>
    public long ModuleId { get; init; }

    /// <summary>Whether the method belongs to no assembly: the program or the runtime emitted it at run time.</summary>
    public bool IsDynamic { get; init; }

    /// <summary>False for precompiled (ReadyToRun) code, which needs no compilation.</summary>
    public required bool IsJitted { get; init; }

    /// <summary>Tier of the code.</summary>
    public CodeTier Tier { get; init; }

    /// <summary>Bytes of code.</summary>
    public uint CodeBytes { get; init; }

    /// <summary>Full name of its type; empty when missing.</summary>
    public ReadOnlySpan<char> Namespace { get; init; }

    /// <summary>Its name; empty when missing.</summary>
    public ReadOnlySpan<char> Name { get; init; }
}

/// <summary>
/// Tiers of code, with the numbers of bits 7 to 9 of MethodFlags (JitOptimizationTier in dotnet/runtime); code that was not jitted is
/// <see cref="ReadyToRun"/>.
/// </summary>
public enum CodeTier
{
    /// <summary>Unknown.</summary>
    Unknown = 0,

    /// <summary>Compiled without optimization, for a debugger or by attribute.</summary>
    MinOpt = 1,

    /// <summary>Compiled once with optimization, without tiered compilation.</summary>
    Optimized = 2,

    /// <summary>Compiled quickly; hot methods are recompiled.</summary>
    Tier0 = 3,

    /// <summary>Recompiled with optimization.</summary>
    Tier1 = 4,

    /// <summary>Optimized code that takes over a loop of the running Tier0 code (on-stack replacement).</summary>
    Tier1Osr = 5,

    /// <summary>Like Tier0, with counters for later optimization.</summary>
    Tier0Instrumented = 6,

    /// <summary>Like Tier1, with counters.</summary>
    Tier1Instrumented = 7,

    /// <summary>Precompiled into the assembly.</summary>
    ReadyToRun = 8,
}
