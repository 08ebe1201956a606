namespace EtwSerializerProfiler.Analysis.Jit;

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
