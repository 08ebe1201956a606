using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Jit;

/// <summary>Compilations of one method into one tier.</summary>
public sealed record JitRow
{
    /// <summary>The table's row whose runs they lie in.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Full name of the method without parameters; null when the event does not tell.</summary>
    public required string? Method { get; init; }

    /// <summary>Tier of the code.</summary>
    public required CodeTier Tier { get; init; }

    /// <summary>Compilations that ended in the runs; overloads and instances of a generic method count together.</summary>
    public required long Count { get; init; }

    /// <summary>Compilation time inside the runs in ms, that of other methods compiled meanwhile left out.</summary>
    public required double Ms { get; init; }

    /// <summary>IL compiled, in bytes, over all compilations; null when one of them does not tell.</summary>
    public required long? IlBytes { get; init; }

    /// <summary>Code made, in bytes, over all compilations.</summary>
    public required long NativeBytes { get; init; }

    /// <summary>Threads that compiled; null when the trace does not tell.</summary>
    public required JitThreadKinds? Threads { get; init; }
}

/// <summary>Which threads compiled.</summary>
[Flags]
public enum JitThreadKinds
{
    /// <summary>The trace does not tell.</summary>
    None = 0,

    /// <summary>The thread that called the method, or needed it: it waits for the code.</summary>
    Caller = 1,

    /// <summary>The runtime's thread for hot methods (<c>.NET Tiered Compilation Worker</c>): it works beside the program.</summary>
    TieredWorker = 2,
}
