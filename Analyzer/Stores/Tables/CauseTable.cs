using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Tables;

/// <summary>
/// Table <c>cause</c>. Parts without time have no row; the rows of a run add up exactly to the CPU time of its samples, in ticks.
/// </summary>
public static class CauseTable
{
    /// <summary>The serializer's own code.</summary>
    public const string Own = "own";

    /// <summary>The measuring thread outside the serializer.</summary>
    public const string Harness = "harness";

    /// <summary>The measuring thread with a stack that ends before an entry frame could appear.</summary>
    public const string Broken = "broken";

    /// <summary>Threads of the garbage collector.</summary>
    public const string GcThreads = "gcThread";

    /// <summary>Threads of the JIT compiler.</summary>
    public const string JitThreads = "jitThread";

    /// <summary>Other threads of the process.</summary>
    public const string OtherThreads = "otherThread";

    /// <summary>The table.</summary>
    public static StoreTable<StoredCause> Table { get; } =
        new(
            "cause",
            "CPU time of a run by cause, from its samples; parts without time have no row",
            [
                new("process", "Number of the process in the trace", row => row.Process),
                new("run", "Number of the run in its process", row => row.RunId),
                new(
                    "cause",
                    "Key of the cause (docs/attribution.md), or own, harness, broken, gcThread, jitThread, otherThread",
                    row => row.Cause
                ),
                new("cause_group", "Group of the cause; empty for the other parts", row => row.Group),
                new("cpu_ms", "CPU time", row => row.CpuMs),
            ]
        );
}

/// <summary>CPU time of a run with one cause, or in one of the other parts.</summary>
/// <param name="Process">Number of its process in the trace.</param>
/// <param name="RunId">Number of the run in its process.</param>
/// <param name="Cause">Key of the cause, or one of the constants of <see cref="CauseTable"/>.</param>
/// <param name="Group">Group of the cause; empty for the other parts.</param>
/// <param name="CpuMs">CPU time in ms.</param>
public sealed record StoredCause(int Process, int RunId, string Cause, string Group, double CpuMs);
