using System.Diagnostics;

namespace EtwSerializerProfiler.Foundation.Progress;

/// <summary>One reading of a file, from its begin to its end. The reader writes it; any thread may look.</summary>
public sealed class ReadPass
{
    /// <summary>When it began, in ticks of <see cref="Stopwatch"/>.</summary>
    private readonly long _begun;

    /// <summary>When it ended, in ticks of <see cref="Stopwatch"/>; 0 while it runs.</summary>
    private long _ended;

    private long _done;

    internal ReadPass(string name, long bytes, long begun) => (Name, Bytes, _begun) = (name, bytes, begun);

    /// <summary>What is read: a path.</summary>
    public string Name { get; }

    /// <summary>How much there is to read.</summary>
    public long Bytes { get; }

    /// <summary>How much was read, in bytes; at most <see cref="Bytes"/>.</summary>
    public long Done => Math.Min(Volatile.Read(ref _done), Bytes);

    /// <summary>How long it has taken, or took.</summary>
    public TimeSpan Elapsed => Ended ?? Stopwatch.GetElapsedTime(_begun);

    /// <summary>How long it took; null while it runs.</summary>
    public TimeSpan? Ended => Volatile.Read(ref _ended) is > 0 and var ended ? Stopwatch.GetElapsedTime(_begun, ended) : null;

    /// <summary>Says that more was read; for the reader's thread alone.</summary>
    public void Advance(long bytes) => Volatile.Write(ref _done, _done + bytes);

    /// <summary>Says that it ended.</summary>
    public void End() => Interlocked.CompareExchange(ref _ended, Stopwatch.GetTimestamp(), 0);
}

/// <summary>How far several readers are together.</summary>
/// <param name="Name">What they do.</param>
/// <param name="Done">How much was read, in bytes.</param>
/// <param name="Bytes">How much there is to read.</param>
public sealed record ReadStep(string Name, long Done, long Bytes);
