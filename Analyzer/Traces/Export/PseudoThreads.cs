namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Placeholder threads for processors whose thread is unknown: perf records when a recorded thread is switched in and out, but a Windows
/// context switch names both threads. They belong to a process of their own instead of Idle, because the processor may not have been idle.
/// Each processor has one, since a thread runs on one processor at a time.
/// </summary>
internal static class PseudoThreads
{
    /// <summary>Id of the process and of the first thread: above Linux' largest id (PID_MAX_LIMIT, 4 Mi).</summary>
    public const int Process = 5 << 20;

    /// <summary>Name of the process.</summary>
    public const string Name = "(not recorded)";

    /// <summary>The thread of a processor.</summary>
    public static int Of(int processor) => Process + processor;
}
