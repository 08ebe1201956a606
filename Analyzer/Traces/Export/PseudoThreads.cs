namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Stands on a processor while it is not known which thread does: perf says when a recorded thread comes and when it leaves, a context switch of Windows names both sides.
/// A process of its own and not Idle, which would be a claim. Each processor has a thread, since a thread is on one processor at a time.
/// </summary>
internal static class PseudoThreads
{
    /// <summary>Process and first thread: above the largest id that Linux gives (PID_MAX_LIMIT, 4 Mi).</summary>
    public const int Process = 5 << 20;

    /// <summary>Name of the process.</summary>
    public const string Name = "(not recorded)";

    /// <summary>The thread of a processor.</summary>
    public static int Of(int processor) => Process + processor;
}
