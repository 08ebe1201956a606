namespace EtwSerializerProfiler.Traces.Events;

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
