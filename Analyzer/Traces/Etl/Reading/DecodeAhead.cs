namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>
/// Decodes the buffers of the index in order, ahead of the reader and on other threads. At most <see cref="Window"/> undelivered buffers
/// are decoded or being decoded at a time, and at most 64 MB of them. The reader decodes, too, instead of waiting.
/// </summary>
internal sealed class DecodeAhead : IDisposable
{
    /// <summary>Maximum memory of buffers decoded ahead; a single one may need more.</summary>
    private const long MaxBytesAhead = 64 << 20;

    /// <summary>Maximum memory kept for reuse.</summary>
    private const long MaxFreeBytes = 32 << 20;

    private readonly BufferEntry[] _entries;
    private readonly TraceBytes[] _files;
    private readonly TraceClockMap[] _clocks;
    private readonly TraceRange _range;
    private readonly bool _sessionRecords;
    private readonly EtlStatistics _statistics;
    private readonly BufferProgress? _progress;
    private readonly DecodedBuffer[] _slots;
    private readonly int[] _done; // index + 1 of the decoded buffer in the slot
    private readonly Stack<DecodedBuffer> _free = new();
    private readonly DecodeScratch _scratch = new(); // for buffers that the reader decodes itself
    private readonly Thread[] _threads;
    private readonly SemaphoreSlim _wake = new(0);
    private readonly Lock _lock = new();
    private int _claimed; // next index to decode; under the lock
    private long _bytesAhead; // maximum memory of claimed, undelivered buffers; under the lock
    private int _taken; // next index to deliver
    private int _sleeping;
    private long _freeBytes;
    private volatile bool _stopped;
    private Exception? _failure;

    public DecodeAhead(
        BufferEntry[] entries,
        TraceBytes[] files,
        TraceClockMap[] clocks,
        TraceRange range,
        bool sessionRecords,
        int threads,
        EtlStatistics statistics,
        BufferProgress? progress
    )
    {
        _progress = progress;
        _entries = entries;
        _files = files;
        _clocks = clocks;
        _range = range;
        _sessionRecords = sessionRecords;
        _statistics = statistics;
        Window = Math.Max(1, 16 * threads);
        _slots = new DecodedBuffer[Window];
        for (var slot = 0; slot < Window; slot++)
            _slots[slot] = new DecodedBuffer();
        _done = new int[Window];
        _threads = new Thread[Math.Min(threads, entries.Length)];
        for (var number = 0; number < _threads.Length; number++)
        {
            _threads[number] = new Thread(Work) { IsBackground = true, Name = "etl decode" };
            _threads[number].Start();
        }
    }

    /// <summary>Number of buffers decoded ahead.</summary>
    public int Window { get; }

    /// <summary>Whether all buffers were delivered.</summary>
    public bool IsAtEnd => _taken == _entries.Length;

    /// <summary>Time of the first record of the next buffer.</summary>
    public long NextFirstTime => _entries[_taken].FirstTime;

    /// <summary>Returns the next decoded buffer.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public DecodedBuffer Take()
    {
        var index = _taken;
        var slot = index % Window;
        var spin = new SpinWait();
        while (Volatile.Read(ref _done[slot]) != index + 1)
        {
            if (TryClaim(out var other))
            {
                DecodeAt(other, _scratch);
            }
            else
            {
                if (Volatile.Read(ref _failure) is { } failure && Volatile.Read(ref _done[slot]) != index + 1)
                    System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
                spin.SpinOnce(sleep1Threshold: -1);
            }
        }

        var buffer = _slots[slot];
        _progress?.Advance(_entries[index].Size);
        _slots[slot] = Reuse();
        bool roomy;
        lock (_lock)
        {
            _taken = index + 1;
            _bytesAhead -= DecodedBuffer.BytesOf(_entries[index]);
            roomy = _claimed - _taken <= Window / 2;
        }

        // Readying a thread costs a system call, so do it only when there is space for some buffers.
        if (roomy && Volatile.Read(ref _sleeping) > 0)
            _wake.Release();
        return buffer;
    }

    /// <summary>Returns a buffer for reuse.</summary>
    public void Return(DecodedBuffer buffer)
    {
        if (_freeBytes + buffer.Bytes > MaxFreeBytes)
            return;
        _freeBytes += buffer.Bytes;
        _free.Push(buffer);
    }

    private DecodedBuffer Reuse()
    {
        if (_free.Count == 0)
            return new DecodedBuffer();
        var buffer = _free.Pop();
        _freeBytes -= buffer.Bytes;
        return buffer;
    }

    public void Dispose()
    {
        _stopped = true;
        _wake.Release(_threads.Length + 1);
        foreach (var thread in _threads)
            thread.Join();
        _wake.Dispose();
        _progress?.End();
    }

    private void Work()
    {
        var scratch = new DecodeScratch();
        while (!_stopped && Volatile.Read(ref _failure) is null)
        {
            if (TryClaim(out var index))
            {
                DecodeAt(index, scratch);
                continue;
            }

            lock (_lock)
            {
                if (_claimed >= _entries.Length)
                    return;
            }

            Interlocked.Increment(ref _sleeping);
            _wake.Wait(100);
            Interlocked.Decrement(ref _sleeping);
        }
    }

    /// <summary>Claims the next buffer for the calling thread, if the window has space.</summary>
    private bool TryClaim(out int index)
    {
        lock (_lock)
        {
            index = _claimed;
            if (index >= _entries.Length || index >= _taken + Window)
                return false;
            var bytes = DecodedBuffer.BytesOf(_entries[index]);
            if (_bytesAhead > 0 && _bytesAhead + bytes > MaxBytesAhead)
                return false;
            _bytesAhead += bytes;
            _claimed = index + 1;
            return true;
        }
    }

    /// <summary>Decodes a claimed buffer. The reader throws its exceptions (such as an unreadable file) when it next has to wait.</summary>
    private void DecodeAt(int index, DecodeScratch scratch)
    {
        try
        {
            ref readonly var entry = ref _entries[index];
            _slots[index % Window].Decode(entry, _files[entry.File], _clocks[entry.File], _range, _sessionRecords, scratch, _statistics);
            Volatile.Write(ref _done[index % Window], index + 1);
        }
        catch (Exception error)
        {
            Volatile.Write(ref _failure, error);
        }
    }
}
