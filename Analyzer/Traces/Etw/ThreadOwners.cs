namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Which process a thread belongs to. Thread ids are used again: each has its owners in the order of time.</summary>
internal sealed class ThreadOwners
{
    /// <summary>By thread: from when on it belongs to which process, ascending.</summary>
    private readonly Dictionary<int, List<(long From, int Process)>> _owners = [];

    /// <summary>Notes that a thread began, or was found running, at a time.</summary>
    public void Add(int thread, int process, long time)
    {
        if (!_owners.TryGetValue(thread, out var owners))
            _owners[thread] = owners = [];
        if (owners.Count == 0 || owners[^1].Process != process)
            owners.Add((time, process));
    }

    /// <summary>Notes that a thread ended, or was found when the session ended: news only if nothing else was heard of it.</summary>
    public void AddIfUnknown(int thread, int process)
    {
        if (!_owners.ContainsKey(thread))
            _owners[thread] = [(long.MinValue, process)];
    }

    /// <summary>The process of a thread at a time, -1 when it is not known. Before its first event a thread belongs to its first process.</summary>
    public int Of(int thread, long time)
    {
        if (!_owners.TryGetValue(thread, out var owners))
            return -1;
        for (var i = owners.Count - 1; i > 0; i--)
        {
            if (owners[i].From <= time)
                return owners[i].Process;
        }

        return owners[0].Process;
    }
}
