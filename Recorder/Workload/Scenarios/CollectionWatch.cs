namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Sees the pause of each collection: an object that dies in every one has a finalizer which asks for the last collection's pause.</summary>
/// <remarks>Two collections in quick succession can be seen as one: <see cref="Seen"/> says how many were. Below .NET 5 nothing is seen.</remarks>
public sealed class CollectionWatch : IDisposable
{
#if NET
#if NET9_0_OR_GREATER
    private readonly Lock _lock = new();
#else
    private readonly object _lock = new();
#endif
    private long _lastIndex;
    private TimeSpan _longestGen1;
    private bool _sawGen1;
    private volatile bool _ended;

    /// <summary>Begins to watch.</summary>
    public CollectionWatch()
    {
        _lastIndex = GC.GetGCMemoryInfo(GCKind.Any).Index;
        Drop(this);
    }

    /// <summary>Collections whose pause was seen.</summary>
    public int Seen { get; private set; }

    /// <summary>Longest pause of a generation-1 collection that was seen, in ms; null when none was.</summary>
    public double? LongestGen1
    {
        get
        {
            lock (_lock)
                return _sawGen1 ? _longestGen1.TotalMilliseconds : null;
        }
    }

    /// <summary>All pauses of the process so far, in ms.</summary>
    public static double? TotalPause => GC.GetTotalPauseDuration().TotalMilliseconds;

    /// <summary>Ends watching.</summary>
    public void Dispose() => _ended = true;

    // A method of its own: no register of the caller keeps the object alive.
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Drop(CollectionWatch watch) => _ = new Canary(watch);

    private void Look()
    {
        if (_ended)
            return;
        lock (_lock)
        {
            foreach (var kind in (ReadOnlySpan<GCKind>)[GCKind.Ephemeral, GCKind.Any])
            {
                var info = GC.GetGCMemoryInfo(kind);
                if (info.Index <= _lastIndex)
                    continue;
                _lastIndex = info.Index;
                Seen++;
                if (info.Generation != 1)
                    continue;
                _sawGen1 = true;
                foreach (var pause in info.PauseDurations)
                    _longestGen1 = pause > _longestGen1 ? pause : _longestGen1;
            }
        }

        Drop(this);
    }

    private sealed class Canary(CollectionWatch watch)
    {
        ~Canary() => watch.Look();
    }
#else
#pragma warning disable CA1822 // what .NET sees is of the instance
    /// <summary>Collections whose pause was seen.</summary>
    public int Seen => 0;

    /// <summary>Null: the runtime does not tell.</summary>
    public double? LongestGen1 => null;
#pragma warning restore CA1822

    /// <summary>Null: the runtime does not tell.</summary>
    public static double? TotalPause => null;

    /// <summary>Nothing to end.</summary>
    public void Dispose()
    {
    }
#endif
}
