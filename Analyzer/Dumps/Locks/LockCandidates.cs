using EtwSerializerProfiler.Dumps.Heap;

namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>Collects possible held locks, and exceptions, from a walk of the heap.</summary>
internal sealed class LockCandidates : IHeapVisitor
{
    /// <summary>Maximum number of objects of a kind to examine.</summary>
    public const int Max = 20_000;

    /// <summary>Objects whose header may contain a thin lock.</summary>
    public List<ulong> Thin { get; } = [];

    /// <summary>Objects of System.Threading.Lock.</summary>
    public List<(ulong Address, HeapType Type)> Locks { get; } = [];

    /// <summary>Exceptions.</summary>
    public List<(ulong Address, HeapType Type)> Exceptions { get; } = [];

    /// <inheritdoc />
    public void OnObject(ulong address, HeapType type, uint header)
    {
        if (type.IsException && Exceptions.Count < Max)
            Exceptions.Add((address, type));
        if (type.IsLock && Locks.Count < Max)
            Locks.Add((address, type));
        if (header != 0 && !type.IsFree && Thin.Count < Max)
            Thin.Add(address);
    }
}
