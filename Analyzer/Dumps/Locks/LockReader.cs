using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>Finds held locks and their waiting threads.</summary>
/// <param name="session">The dump.</param>
/// <param name="threads">Its threads.</param>
internal sealed class LockReader(DumpSession session, IReadOnlyList<DumpThread> threads)
{
    /// <summary>
    /// First bit of the number of waiting threads in the state of System.Threading.Lock (WaiterCountShift of Lock.cs in .NET 9 and 10).
    /// </summary>
    private const int LockWaiters = 7;

    private readonly Dictionary<ulong, DumpThread> _byAddress = threads
        .Where(thread => thread.Address != 0)
        .GroupBy(thread => thread.Address)
        .ToDictionary(group => group.Key, group => group.First());
    private readonly Dictionary<uint, DumpThread> _byOsId = threads
        .Where(thread => thread.OsId != 0)
        .GroupBy(thread => thread.OsId)
        .ToDictionary(group => group.Key, group => group.First());

    /// <summary>Reads the held locks, those with waiting threads first.</summary>
    /// <param name="candidates">Objects from a walk of the heap.</param>
    public IReadOnlyList<HeldLock> Read(LockCandidates candidates)
    {
        var held = new Dictionary<ulong, HeldLock>();
        var heap = session.Runtime.Heap;
        foreach (var block in heap.EnumerateSyncBlocks().Where(block => block.IsMonitorHeld))
            held[block.Object] = new HeldLock(
                block.Object,
                TypeName(block.Object),
                LockKind.Monitor,
                _byAddress.GetValueOrDefault(block.HoldingThreadAddress),
                block.RecursionCount,
                block.WaitingThreadCount
            );
        foreach (var address in candidates.Thin.Where(address => !held.ContainsKey(address)))
        {
            if (heap.GetObject(address).GetThinLock() is { Thread: { } owner } thin)
                held[address] = new HeldLock(
                    address,
                    TypeName(address),
                    LockKind.MonitorThin,
                    _byAddress.GetValueOrDefault(owner.Address),
                    thin.Recursion + 1,
                    0
                );
        }

        foreach (var (address, type) in candidates.Locks)
        {
            var item = heap.GetObject(address, type.Type);
            if (!item.TryReadField<uint>("_owningThreadId", out var owner) || owner == 0)
                continue;
            var recursion = item.TryReadField<uint>("_recursionCount", out var count) ? (int)count : 0;
            int? waiters = item.TryReadField<uint>("_state", out var state) ? (int)(state >> LockWaiters) : null;
            held[address] = new HeldLock(address, type.Name, LockKind.Lock, _byOsId.GetValueOrDefault(owner), recursion + 1, waiters);
        }

        return WithWaiting(held);
    }

    private string TypeName(ulong address) => session.Runtime.Heap.GetObjectType(address)?.Name ?? "[unknown type]";

    private IReadOnlyList<HeldLock> WithWaiting(Dictionary<ulong, HeldLock> held)
    {
        var waiting = new Dictionary<ulong, List<DumpThread>>();
        var wanted = held.Values.Where(item => item.Waiters is null or > 0).Select(item => item.Object).ToHashSet();
        foreach (var thread in wanted.Count > 0 ? threads : [])
        {
            if (WaitedLock.Of(session, thread, wanted) is not { } found)
                continue;
            if (!waiting.TryGetValue(found, out var list))
                waiting.Add(found, list = []);
            list.Add(thread with { WaitsFor = found });
        }

        return
        [
            .. held
                .Values.Select(item => waiting.TryGetValue(item.Object, out var list) ? item with { Waiting = list } : item)
                .OrderByDescending(item => item.Waiters ?? item.Waiting.Count)
                .ThenBy(item => item.Object),
        ];
    }
}
