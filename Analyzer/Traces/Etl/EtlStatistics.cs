namespace EtwSerializerProfiler.Etl;

/// <summary>What was found in the files; the counts of events grow while they are read.</summary>
public sealed class EtlStatistics
{
    /// <summary>Damages that are kept; further ones are only counted.</summary>
    public const int MaxDamages = 100;

    private readonly long[] _buffersByType = new long[8];
    private readonly List<EtlDamage> _damages = [];
    private readonly Lock _lock = new();
    private long _damageCount;

    /// <summary>Bytes of all files.</summary>
    public long FileBytes { get; internal set; }

    /// <summary>Buffers with a header, empty ones included.</summary>
    public long Buffers { get; internal set; }

    /// <summary>Buffers that the session had set aside and never written, or that hold no event.</summary>
    public long EmptyBuffers { get; internal set; }

    /// <summary>Buffers that are compressed.</summary>
    public long CompressedBuffers { get; internal set; }

    /// <summary>Buffers left out because they lie outside the wanted range of time.</summary>
    public long SkippedBuffers { get; internal set; }

    /// <summary>Buffers that end a flush.</summary>
    public long FlushMarkers { get; internal set; }

    /// <summary>Buffers that say that events were lost before them.</summary>
    public long BuffersWithLostEvents { get; internal set; }

    /// <summary>Buffers that say that buffers were lost before them.</summary>
    public long BuffersWithLostBuffers { get; internal set; }

    /// <summary>Events lost, as the files' headers say; null when no session was closed.</summary>
    public long? EventsLost { get; internal set; }

    /// <summary>Buffers lost, as the files' headers say; null when no session was closed.</summary>
    public long? BuffersLost { get; internal set; }

    /// <summary>Events given out so far.</summary>
    public long Events { get; internal set; }

    /// <summary>Bytes of the records of these events, headers included.</summary>
    public long EventBytes { get; internal set; }

    /// <summary>Records of the session's own that were not given out so far (<see cref="EtlReadOptions.SessionRecords"/>).</summary>
    public long SessionRecords { get; internal set; }

    /// <summary>
    /// Events given out so far behind one with a later time. It happens where a buffer begins with an event that is more than 1 ms later than its earliest,
    /// or where more than 256 MB of buffers overlap in time.
    /// </summary>
    public long LateEvents { get; internal set; }

    /// <summary>Damaged places so far; the first <see cref="MaxDamages"/> of them are in <see cref="Damages"/>.</summary>
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

    /// <summary>Buffers of a type.</summary>
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
