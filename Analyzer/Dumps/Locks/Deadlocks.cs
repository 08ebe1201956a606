namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>Finds cycles of threads in which each waits for a lock of the next.</summary>
internal static class Deadlocks
{
    /// <summary>The cycles, each as its locks in the order in which their owners wait for the next.</summary>
    public static IEnumerable<IReadOnlyList<HeldLock>> Find(IReadOnlyList<HeldLock> locks)
    {
        var waitsFor = new Dictionary<int, HeldLock>();
        foreach (var held in locks)
        {
            foreach (var thread in held.Waiting)
                waitsFor[thread.ManagedId] = held;
        }

        var seen = new HashSet<ulong>();
        foreach (var start in locks.Where(held => held.Waiting.Count > 0))
        {
            var path = new List<HeldLock>();
            for (
                var held = start;
                held is { Owner: { } owner } && path.Count <= locks.Count;
                held = waitsFor.GetValueOrDefault(owner.ManagedId)
            )
            {
                var at = path.FindIndex(item => item.Object == held.Object);
                if (at >= 0)
                {
                    if (path.Skip(at).All(item => seen.Add(item.Object)))
                        yield return path[at..];
                    break;
                }

                path.Add(held);
            }
        }
    }
}
