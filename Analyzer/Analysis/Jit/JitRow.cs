using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Jit;

/// <summary>Compilations of one method into one tier.</summary>
public sealed record JitRow
{
    /// <summary>The table row of their runs.</summary>
    public required SummaryKey Runs { get; init; }

    /// <summary>Full name of the method without parameters; null when the event lacks it.</summary>
    public required string? Method { get; init; }

    /// <summary>Tier of the code.</summary>
    public required CodeTier Tier { get; init; }

    /// <summary>Number of compilations that ended in the runs; overloads and generic instances count together.</summary>
    public required long Count { get; init; }

    /// <summary>Compilation time inside the runs in ms, without nested compilations of other methods.</summary>
    public required double Ms { get; init; }

    /// <summary>Compiled IL in bytes, over all compilations; null when one of them lacks it.</summary>
    public required long? IlBytes { get; init; }

    /// <summary>Generated code in bytes, over all compilations.</summary>
    public required long NativeBytes { get; init; }

    /// <summary>Kinds of compiling threads; null when unknown.</summary>
    public required JitThreadKinds? Threads { get; init; }
}

/// <summary>Kinds of compiling threads.</summary>
[Flags]
public enum JitThreadKinds
{
    /// <summary>Unknown.</summary>
    None = 0,

    /// <summary>The thread that called or needed the method, which waits for the code.</summary>
    Caller = 1,

    /// <summary>
    /// The runtime's thread for hot methods (<c>.NET Tiered Compilation Worker</c>), which runs in parallel to the program.
    /// </summary>
    TieredWorker = 2,
}
