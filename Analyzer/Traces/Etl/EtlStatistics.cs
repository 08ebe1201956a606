namespace EtwSerializerProfiler.Etl;

/// <summary>Statistics of the files; event counts grow while they are read.</summary>
public sealed class EtlStatistics
{
    /// <summary>Maximum number of stored damages; further ones are only counted.</summary>
    public const int MaxDamages = 100;

    private readonly long[] _buffersByType = new long[8];
    private readonly List<EtlDamage> _damages = [];
    private readonly Lock _lock = new();
    private long _damageCount;

    /// <summary>Bytes of all files.</summary>
    public long FileBytes { get; internal set; }

    /// <summary>Number of buffers with a header, including empty ones.</summary>
    public long Buffers { get; internal set; }

    /// <summary>Number of buffers that the session allocated but never wrote, or without events.</summary>
    public long EmptyBuffers { get; internal set; }

    /// <summary>Number of compressed buffers.</summary>
    public long CompressedBuffers { get; internal set; }

    /// <summary>Number of buffers skipped because they are outside the time range.</summary>
    public long SkippedBuffers { get; internal set; }

    /// <summary>Number of buffers that end a flush.</summary>
    public long FlushMarkers { get; internal set; }

    /// <summary>Number of buffers with lost events before them.</summary>
    public long BuffersWithLostEvents { get; internal set; }

    /// <summary>Number of buffers with lost buffers before them.</summary>
    public long BuffersWithLostBuffers { get; internal set; }

    /// <summary>Number of lost events, from the files' headers; null when no session was closed.</summary>
    public long? EventsLost { get; internal set; }

    /// <summary>Number of lost buffers, from the files' headers; null when no session was closed.</summary>
    public long? BuffersLost { get; internal set; }

    /// <summary>Number of events delivered so far.</summary>
    public long Events { get; internal set; }

    /// <summary>Bytes of the delivered events' records, including headers.</summary>
    public long EventBytes { get; internal set; }

    /// <summary>Number of session-internal records not delivered so far (<see cref="EtlReadOptions.SessionRecords"/>).</summary>
    public long SessionRecords { get; internal set; }

    /// <summary>
    /// Number of events delivered so far after one with a later time. This happens if a buffer begins with an event more than 1 ms later
    /// than its earliest, or where more than 256 MB of buffers overlap in time.
    /// </summary>
    public long LateEvents { get; internal set; }

    /// <summary>Number of damaged places so far; the first <see cref="MaxDamages"/> are in <see cref="Damages"/>.</summary>
    public long DamageCount => Interlocked.Read(ref _damageCount);

    /// <summary>The first damaged places found so far.</summary>
    public IReadOnlyList<EtlDamage> Damages
    {
        get
        {
            lock (_lock)
                return [.. _damages];
        }
    }

    /// <summary>Number of buffers of a type.</summary>
    public long BuffersOf(EtlBufferType type) => (uint)type < (uint)_buffersByType.Length ? _buffersByType[(int)type] : 0;

    internal void CountBuffer(int type)
    {
        Buffers++;
        if ((uint)type < (uint)_buffersByType.Length)
            _buffersByType[type]++;
    }

    internal void Add(EtlDamage damage)
    {
        lock (_lock)
        {
            Interlocked.Increment(ref _damageCount);
            if (_damages.Count < MaxDamages)
                _damages.Add(damage);
        }
    }
}
