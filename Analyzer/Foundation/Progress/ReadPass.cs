using System.Diagnostics;

namespace EtwSerializerProfiler.Foundation.Progress;

/// <summary>One pass over a file from start to end. The reader updates it; any thread may read it.</summary>
public sealed class ReadPass
{
    /// <summary>Start in ticks of <see cref="Stopwatch"/>.</summary>
    private readonly long _begun;

    /// <summary>End in ticks of <see cref="Stopwatch"/>; 0 during the pass.</summary>
    private long _ended;

    private long _done;

    internal ReadPass(string name, long bytes, long begun) => (Name, Bytes, _begun) = (name, bytes, begun);

    /// <summary>Path of the file.</summary>
    public string Name { get; }

    /// <summary>Total number of bytes.</summary>
    public long Bytes { get; }

    /// <summary>Number of bytes read; at most <see cref="Bytes"/>.</summary>
    public long Done => Math.Min(Volatile.Read(ref _done), Bytes);

    /// <summary>Time so far; after the end, the total time.</summary>
    public TimeSpan Elapsed => Ended ?? Stopwatch.GetElapsedTime(_begun);

    /// <summary>Total time; null during the pass.</summary>
    public TimeSpan? Ended => Volatile.Read(ref _ended) is > 0 and var ended ? Stopwatch.GetElapsedTime(_begun, ended) : null;

    /// <summary>Adds bytes that were read; only for the reader's thread.</summary>
    public void Advance(long bytes) => Volatile.Write(ref _done, _done + bytes);

    /// <summary>Marks the end of the pass.</summary>
    public void End() => Interlocked.CompareExchange(ref _ended, Stopwatch.GetTimestamp(), 0);
}

/// <summary>Progress of several readers together.</summary>
/// <param name="Name">What they do.</param>
/// <param name="Done">Number of bytes read.</param>
/// <param name="Bytes">Total number of bytes.</param>
public sealed record ReadStep(string Name, long Done, long Bytes);
