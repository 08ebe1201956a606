namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>
/// Gives out the records of all buffers in order of time. Every buffer is in order by itself; a heap of the buffers that have begun gives the next record.
/// Ties: the earlier file, then the lower sequence number of the buffer, then the earlier buffer in the file, then the earlier record in the buffer.
/// </summary>
internal sealed class TimeMerge
{
    /// <summary>Memory of begun buffers above which no further one is begun early; then order may suffer, but no event is lost.</summary>
    private const long MaxOpenBytes = 256 << 20;

    private readonly DecodeAhead _buffers;
    private readonly EtlStatistics _statistics;

    /// <summary>A buffer begins so much before the time of its first record: records at its begin may be out of order.</summary>
    private readonly long _slack;

    /// <summary>Begun buffers but the current one; a binary heap.</summary>
    private DecodedBuffer[] _heap = new DecodedBuffer[16];

    private int _count;
    private DecodedBuffer? _current;

    /// <summary>Records of the current buffer before this time come before all others.</summary>
    private long _limit = long.MinValue;

    private long _openBytes;
    private long _last = long.MinValue;

    public TimeMerge(DecodeAhead buffers, long slack, EtlStatistics statistics)
    {
        _buffers = buffers;
        _slack = slack;
        _statistics = statistics;
    }

    /// <summary>The next record and its buffer; null at the end.</summary>
    public DecodedBuffer? Next(out RecordEntry record)
    {
        var current = _current;
        if (current is not null)
        {
            var position = current.Position;
            if (position < current.Count)
            {
                record = current.Records[position];
                if (record.Time < _limit)
                {
                    current.Position = position + 1;
                    _last = record.Time;
                    return current;
                }
            }
        }

        return NextOfAll(out record);
    }

    private DecodedBuffer? NextOfAll(out RecordEntry record)
    {
        if (_current is { } done)
        {
            if (done.Position < done.Count)
                Push(done);
            else
                Close(done);
            _current = null;
        }

        while (!_buffers.IsAtEnd && (_count == 0 || (EtlTime.Subtract(_buffers.NextFirstTime, _slack) <= _heap[0].NextTime && _openBytes < MaxOpenBytes)))
            Open(_buffers.Take());
        if (_count == 0)
        {
            record = default;
            return null;
        }

        var next = Pop();
        _current = next;
        _limit = _count > 0 ? _heap[0].NextTime : long.MaxValue;
        if (!_buffers.IsAtEnd)
            _limit = Math.Min(_limit, EtlTime.Subtract(_buffers.NextFirstTime, _slack));
        record = next.Records[next.Position++];
        if (record.Time < _last)
            _statistics.LateEvents++;
        else
            _last = record.Time;
        return next;
    }

    private void Open(DecodedBuffer buffer)
    {
        _statistics.SessionRecords += buffer.SessionRecords;
        _openBytes += buffer.Bytes;
        if (buffer.Count > 0)
            Push(buffer);
        else
            Close(buffer);
    }

    private void Close(DecodedBuffer buffer)
    {
        _openBytes -= buffer.Bytes;
        _buffers.Return(buffer);
    }

    private static bool Before(DecodedBuffer left, DecodedBuffer right)
    {
        long leftTime = left.NextTime, rightTime = right.NextTime;
        return leftTime < rightTime || (leftTime == rightTime && left.Order < right.Order);
    }

    private void Push(DecodedBuffer buffer)
    {
        if (_count == _heap.Length)
            Array.Resize(ref _heap, 2 * _count);
        var heap = _heap;
        var at = _count++;
        while (at > 0)
        {
            var parent = (at - 1) >> 1;
            if (!Before(buffer, heap[parent]))
                break;
            heap[at] = heap[parent];
            at = parent;
        }

        heap[at] = buffer;
    }

    private DecodedBuffer Pop()
    {
        var heap = _heap;
        var top = heap[0];
        var last = heap[--_count];
        var at = 0;
        while (true)
        {
            var child = 2 * at + 1;
            if (child >= _count)
                break;
            if (child + 1 < _count && Before(heap[child + 1], heap[child]))
                child++;
            if (!Before(heap[child], last))
                break;
            heap[at] = heap[child];
            at = child;
        }

        heap[at] = last;
        return top;
    }
}
