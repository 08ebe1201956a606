namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Processes of threads. Thread ids are reused, so each id has its owners in time order.</summary>
internal sealed class ThreadOwners
{
    /// <summary>Marks a thread id with several owners.</summary>
    private const int Several = -1;

    /// <summary>By thread: its process + 1, 0 when unknown, <see cref="Several"/>.</summary>
    private readonly IdTable<int> _only = new();

    /// <summary>For thread ids with several owners: start times and processes, ascending.</summary>
    private readonly Dictionary<int, List<(long From, int Process)>> _owners = [];

    /// <summary>Records that a thread began, or was found running, at a time.</summary>
    public void Add(int thread, int process, long time)
    {
        var only = _only.Get(thread);
        if (only == process + 1)
            return;
        if (only == 0 && process >= 0)
        {
            _only.Set(thread, process + 1);
            return;
        }

        if (!_owners.TryGetValue(thread, out var owners))
            _owners[thread] = owners = only == 0 ? [] : [(long.MinValue, only - 1)];
        _only.Set(thread, Several);
        if (owners.Count == 0 || owners[^1].Process != process)
            owners.Add((time, process));
    }

    /// <summary>Records that a thread ended, or was listed at the session's end; relevant only without earlier information.</summary>
    public void AddIfUnknown(int thread, int process)
    {
        if (_only.Get(thread) == 0)
            Add(thread, process, long.MinValue);
    }

    /// <summary>Process of a thread at a time; -1 when unknown. Before its first event, a thread belongs to its first process.</summary>
    public int Of(int thread, long time)
    {
        var only = _only.Get(thread);
        return only == Several ? Among(_owners[thread], time) : only - 1;
    }

    private static int Among(List<(long From, int Process)> owners, long time)
    {
        for (var i = owners.Count - 1; i > 0; i--)
        {
            if (owners[i].From <= time)
                return owners[i].Process;
        }

        return owners[0].Process;
    }
}
