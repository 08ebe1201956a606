namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>Observes the pause of each GC: an object that dies in every GC has a finalizer that reads the last GC's pause.</summary>
/// <remarks>
/// Two GCs in quick succession can look like one; <see cref="Seen"/> is the number of observed ones. Before .NET 5 none are observed.
/// </remarks>
public sealed class GcWatch : IDisposable
{
#if NET
#if NET9_0_OR_GREATER
    private readonly Lock _lock = new();
#else
    private readonly object _lock = new();
#endif
    private long _lastIndex;
    private TimeSpan _maxGen1Pause;
    private bool _sawGen1;
    private volatile bool _ended;

    /// <summary>Starts watching.</summary>
    public GcWatch()
    {
        _lastIndex = GC.GetGCMemoryInfo(GCKind.Any).Index;
        Drop(this);
    }

    /// <summary>Number of GCs with an observed pause.</summary>
    public int Seen { get; private set; }

    /// <summary>Longest observed pause of a generation-1 GC in ms; null when there was none.</summary>
    public double? MaxGen1Pause
    {
        get
        {
            lock (_lock)
                return _sawGen1 ? _maxGen1Pause.TotalMilliseconds : null;
        }
    }

    /// <summary>All pauses of the process so far, in ms.</summary>
    public static double? TotalPause => GC.GetTotalPauseDuration().TotalMilliseconds;

    /// <summary>Ends watching.</summary>
    public void Dispose() => _ended = true;

    // A separate method, so that no register of the caller keeps the object alive.
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Drop(GcWatch watch) => _ = new Canary(watch);

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
                    _maxGen1Pause = pause > _maxGen1Pause ? pause : _maxGen1Pause;
            }
        }

        Drop(this);
    }

    private sealed class Canary(GcWatch watch)
    {
        ~Canary() => watch.Look();
    }
#else
#pragma warning disable CA1822 // an instance member on .NET
    /// <summary>Number of GCs with an observed pause.</summary>
    public int Seen => 0;

    /// <summary>Null: the runtime does not report it.</summary>
    public double? MaxGen1Pause => null;
#pragma warning restore CA1822

    /// <summary>Null: the runtime does not report it.</summary>
    public static double? TotalPause => null;

    /// <summary>Does nothing.</summary>
    public void Dispose() { }
#endif
}
