using System.Buffers.Binary;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Threads;

namespace EtwSerializerProfiler.Dumps.Locks;

/// <summary>
/// Finds the lock that a thread waits for. The reference to it is on the stack between the wait and the method that takes the lock. The
/// debugging library's walk over stack references would be exact, but that of .NET 10 crashes (access violation) on stacks with an
/// exception in flight, and dumps are often taken at such stacks.
/// </summary>
internal static class WaitedLock
{
    /// <summary>Bytes of the caller's frame to search, too, because it can keep the reference for the callee.</summary>
    private const int CallerBytes = 256;

    /// <summary>Maximum bytes of stack to search.</summary>
    private const int MaxBytes = 1 << 16;

    private static readonly string[] s_enter =
    [
        "System.Threading.Monitor.Enter",
        "System.Threading.Monitor.ReliableEnter",
        "System.Threading.Monitor.TryEnter",
        "System.Threading.Lock.",
        "System.Threading.WaitHandle.",
        "System.Threading.Thread.",
    ];

    /// <summary>The lock; null when the thread waits for none of them.</summary>
    /// <param name="session">The dump.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="held">Addresses of the locks with waiting threads.</param>
    public static ulong? Of(DumpSession session, DumpThread thread, HashSet<ulong> held)
    {
        var depth = 0;
        while (
            depth < thread.Frames.Count && s_enter.Any(prefix => thread.Frames[depth].Method.StartsWith(prefix, StringComparison.Ordinal))
        )
            depth++;
        if (
            depth == 0
            || !thread
                .Frames.Take(depth)
                .Any(frame =>
                    frame.Method.StartsWith("System.Threading.Monitor.", StringComparison.Ordinal)
                    || frame.Method.StartsWith("System.Threading.Lock.", StringComparison.Ordinal)
                )
        )
            return null;
        var (from, to) = (
            thread.Frames[0].StackPointer,
            thread.Frames[Math.Min(depth, thread.Frames.Count - 1)].StackPointer + CallerBytes
        );
        if (from == 0 || to <= from || to - from > MaxBytes)
            return null;
        var stack = new byte[to - from];
        var read = session.Target.DataReader.Read(from, stack);
        var pointer = session.Target.DataReader.PointerSize;
        for (var at = 0; at + pointer <= read; at += pointer)
        {
            var word =
                pointer == 8
                    ? BinaryPrimitives.ReadUInt64LittleEndian(stack.AsSpan(at))
                    : BinaryPrimitives.ReadUInt32LittleEndian(stack.AsSpan(at));
            if (held.Contains(word))
                return word;
        }

        return null;
    }
}

/// <summary>A held lock.</summary>
/// <param name="Object">Address of the object.</param>
/// <param name="Type">Full name of its type.</param>
/// <param name="Kind">Kind.</param>
/// <param name="Owner">The owner; null when unknown.</param>
/// <param name="Entered">Number of times that its owner entered it.</param>
/// <param name="Waiters">Number of waiting threads according to the lock; null when it keeps no count.</param>
public sealed record HeldLock(ulong Object, string Type, LockKind Kind, DumpThread? Owner, int Entered, int? Waiters)
{
    /// <summary>The threads found waiting for it, from their stacks.</summary>
    public IReadOnlyList<DumpThread> Waiting { get; init; } = [];
}

/// <summary>Kinds of held locks.</summary>
public enum LockKind
{
    /// <summary>Monitor (lock statement) in the object's header: no thread has waited for it yet.</summary>
    MonitorThin = 0,

    /// <summary>Monitor (lock statement) with a record of the runtime.</summary>
    Monitor = 1,

    /// <summary>System.Threading.Lock of .NET 9 and later.</summary>
    Lock = 2,
}
