using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>A lock that a thread holds.</summary>
/// <param name="Object">Address of the object.</param>
/// <param name="Type">Full name of its type.</param>
/// <param name="Kind">Kind.</param>
/// <param name="Owner">Who holds it; null when that thread is not known.</param>
/// <param name="Entered">How often its owner entered it.</param>
/// <param name="Waiters">How many threads the lock says wait for it; null when it keeps no count.</param>
public sealed record HeldLock(ulong Object, string Type, LockKind Kind, DumpThread? Owner, int Entered, int? Waiters)
{
    /// <summary>The threads that were found waiting for it, by their stacks.</summary>
    public IReadOnlyList<DumpThread> Waiting { get; init; } = [];
}
