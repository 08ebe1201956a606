namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Finds the thread of a sample taken during the kernel's teardown of an ended thread: such a sample has its process, and -1 as its thread
/// (perf_event_pid_type in the kernel's kernel/events/core.c: a thread loses its id when it is released, its process keeps its own).
/// </summary>
internal sealed class EndedThreads
{
    /// <summary>Last ended thread of each process.</summary>
    private readonly Dictionary<int, int> _last = [];

    /// <summary>Records the end of a thread; ignores other records.</summary>
    public void Read(in PerfRecord record)
    {
        if (record.Type == PerfRecordType.Exit && record.TryReadTask(out var task))
            _last[task.ProcessId] = task.ThreadId;
    }

    /// <summary>
    /// The thread of a sample; -1 if the process lost its id, too (during teardown of its last thread), or if the thread ended before the
    /// recording began.
    /// </summary>
    public int ThreadOf(in PerfRecordOrigin origin) =>
        origin.ThreadId < 0 ? _last.GetValueOrDefault(origin.ProcessId, -1) : origin.ThreadId;
}
