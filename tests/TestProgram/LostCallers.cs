using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>Methods whose time passes in functions without a frame pointer that they call directly, and one without such calls.</summary>
internal static partial class LostCallers
{
    private const int Rounds = 5;

    private static readonly byte[] s_buffer = GC.AllocateUninitializedArray<byte>(4096, pinned: true);

    private static readonly Node s_node = new();

    private static readonly object s_converted = new Last();

    private static object? s_kept;

    /// <summary>CPU time that <see cref="Allocate"/> really took, in ns.</summary>
    public static long Allocated { get; private set; }

    /// <summary>CPU time that <see cref="Fill"/> really took, in ns.</summary>
    public static long Filled { get; private set; }

    /// <summary>CPU time that <see cref="Store"/> really took, in ns.</summary>
    public static long Stored { get; private set; }

    /// <summary>CPU time that <see cref="Convert"/> really took, in ns.</summary>
    public static long Converted { get; private set; }

    /// <summary>CPU time of all of it, in ns.</summary>
    public static long All { get; private set; }

    public static void Take(long nanoseconds)
    {
        var before = ThreadClock.Now();
        var part = nanoseconds / 5 / Rounds;
        for (var round = 0; round < Rounds; round++)
        {
            Allocated -= ThreadClock.Now();
            Allocate(ThreadClock.Now() + part);
            Allocated += ThreadClock.Now();
            Filled -= ThreadClock.Now();
            Fill(ThreadClock.Now() + part);
            Filled += ThreadClock.Now();
            Stored -= ThreadClock.Now();
            Store(ThreadClock.Now() + part);
            Stored += ThreadClock.Now();
            Converted -= ThreadClock.Now();
            Convert(ThreadClock.Now() + part);
            Converted += ThreadClock.Now();
            ThreadClock.Spin(part);
        }

        All = ThreadClock.Now() - before;
    }

    /// <summary>Objects of 24 bytes: the runtime's allocation helper.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Allocate(long end)
    {
        do
        {
            for (var step = 0; step < 100_000; step++)
                s_kept = new object();
        } while (ThreadClock.Now() < end);
    }

    /// <summary>The C library's memset, called without a stub.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static unsafe void Fill(long end)
    {
        fixed (byte* buffer = s_buffer)
        {
            do
            {
                for (var step = 0; step < 10_000; step++)
                    Set(buffer, step, (nuint)s_buffer.Length);
            } while (ThreadClock.Now() < end);
        }
    }

    /// <summary>References into an object: the runtime's write barrier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Store(long end)
    {
        var next = new Node();
        do
        {
            for (var step = 0; step < 500_000; step++)
                s_node.Next = next;
        } while (ThreadClock.Now() < end);
    }

    /// <summary>The runtime's methods for casts and for elements of arrays, which the JIT calls without a call in IL.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Convert(long end)
    {
        var elements = new object[16];
        do
        {
            for (var step = 0; step < 100_000; step++)
                elements[step & 15] = ((ILinked)s_converted).Next ?? (s_converted as Leaf)!;
        } while (ThreadClock.Now() < end);
        s_kept = elements;
    }

    [LibraryImport("libc", EntryPoint = "memset")]
    [SuppressGCTransition]
    private static unsafe partial void* Set(void* buffer, int value, nuint bytes);

    private interface ILinked
    {
        Node? Next { get; }
    }

    private class Node : ILinked
    {
        public Node? Next { get; set; }
    }

    private class Leaf : Node;

    private sealed class Last : Leaf;
}
