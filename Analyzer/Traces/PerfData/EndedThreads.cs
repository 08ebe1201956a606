namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Names the thread of a sample that was taken while the kernel took down an ended thread: such a sample has its process, and -1 as its thread (perf_event_pid_type in the kernel's
/// kernel/events/core.c: a thread loses its id when it is released, its process keeps its own).
/// </summary>
internal sealed class EndedThreads
{
    /// <summary>By process: the thread that ended last.</summary>
    private readonly Dictionary<int, int> _last = [];

    /// <summary>Notes the end of a thread; other records are passed by.</summary>
    public void Read(in PerfRecord record)
    {
        if (record.Type == PerfRecordType.Exit && record.TryReadTask(out var task))
            _last[task.ProcessId] = task.ThreadId;
    }

    /// <summary>The thread of a sample; -1 where the process lost its id, too (its last thread is taken down), or the thread ended before the recording began.</summary>
    public int ThreadOf(in PerfRecordOrigin origin) => origin.ThreadId < 0 ? _last.GetValueOrDefault(origin.ProcessId, -1) : origin.ThreadId;
}
