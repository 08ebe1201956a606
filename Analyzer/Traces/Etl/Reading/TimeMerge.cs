namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>
/// Delivers the records of all buffers in time order. Every buffer is sorted; a heap of the open buffers gives the next record.
/// At equal times: the earlier file, then the buffer's lower sequence number, then the earlier buffer in the file, then the earlier record
/// in the buffer.
/// </summary>
internal sealed class TimeMerge
{
    /// <summary>Memory of open buffers above which no further one opens early; then order may suffer, but no event is lost.</summary>
    private const long MaxOpenBytes = 256 << 20;

    private readonly DecodeAhead _buffers;
    private readonly EtlStatistics _statistics;

    /// <summary>Time by which a buffer opens before its first record, because records at its start may be out of order.</summary>
    private readonly long _slack;

    /// <summary>Open buffers in a binary heap, by the time of their next record.</summary>
    private Begun[] _heap = new Begun[16];

    private int _count;

    /// <summary>Records of the heap's first buffer before this time come before all others.</summary>
    private long _limit = long.MinValue;

    private long _openBytes;
    private long _last = long.MinValue;

    public TimeMerge(DecodeAhead buffers, long slack, EtlStatistics statistics)
    {
        _buffers = buffers;
        _slack = slack;
        _statistics = statistics;
    }

    /// <summary>Returns the next record and its buffer; null at the end.</summary>
    public DecodedBuffer? Next(out RecordEntry record)
    {
        if (_count > 0)
        {
            var first = _heap[0].Buffer;
            var position = first.Position;
            if (position < first.Count)
            {
                record = first.Records[position];
                if (record.Time < _limit)
                {
                    first.Position = position + 1;
                    _last = record.Time;
                    return first;
                }
            }

            Settle(first);
        }

        return NextOfAll(out record);
    }

    private DecodedBuffer? NextOfAll(out RecordEntry record)
    {
        while (
            !_buffers.IsAtEnd
            && (_count == 0 || (EtlTime.Subtract(_buffers.NextFirstTime, _slack) <= _heap[0].Time && _openBytes < MaxOpenBytes))
        )
            Open(_buffers.Take());
        if (_count == 0)
        {
            record = default;
            return null;
        }

        var heap = _heap;
        _limit =
            _count > 2 ? Math.Min(heap[1].Time, heap[2].Time)
            : _count > 1 ? heap[1].Time
            : long.MaxValue;
        if (!_buffers.IsAtEnd)
            _limit = Math.Min(_limit, EtlTime.Subtract(_buffers.NextFirstTime, _slack));
        var first = heap[0].Buffer;
        record = first.Records[first.Position++];
        if (record.Time < _last)
            _statistics.LateEvents++;
        else
            _last = record.Time;
        return first;
    }

    /// <summary>Moves the first buffer according to its next record, or removes it at its end.</summary>
    private void Settle(DecodedBuffer first)
    {
        if (first.Position < first.Count)
        {
            SiftDown(new Begun(first.NextTime, first.Order, first));
            return;
        }

        var last = _heap[--_count];
        _heap[_count] = default;
        if (_count > 0)
            SiftDown(last);
        Close(first);
    }

    private void Open(DecodedBuffer buffer)
    {
        _statistics.SessionRecords += buffer.SessionRecords;
        _openBytes += buffer.Bytes;
        if (buffer.Count > 0)
            SiftUp(new Begun(buffer.NextTime, buffer.Order, buffer));
        else
            Close(buffer);
    }

    private void Close(DecodedBuffer buffer)
    {
        _openBytes -= buffer.Bytes;
        _buffers.Return(buffer);
    }

    private void SiftUp(Begun item)
    {
        if (_count == _heap.Length)
            Array.Resize(ref _heap, 2 * _count);
        var heap = _heap;
        var at = _count++;
        while (at > 0)
        {
            var parent = (at - 1) >> 1;
            if (!item.IsBefore(heap[parent]))
                break;
            heap[at] = heap[parent];
            at = parent;
        }

        heap[at] = item;
    }

    /// <summary>Puts an item at the top and moves it down to its position.</summary>
    private void SiftDown(in Begun item)
    {
        var heap = _heap.AsSpan(0, _count);
        var at = 0;
        while (true)
        {
            var child = 2 * at + 1;
            if (child >= heap.Length)
                break;
            if (child + 1 < heap.Length && heap[child + 1].IsBefore(heap[child]))
                child++;
            if (!heap[child].IsBefore(item))
                break;
            heap[at] = heap[child];
            at = child;
        }

        heap[at] = item;
    }

    /// <summary>A buffer in the heap, with the key of its next record.</summary>
    private readonly record struct Begun(long Time, int Order, DecodedBuffer Buffer)
    {
        public bool IsBefore(in Begun other) => Time < other.Time || (Time == other.Time && Order < other.Order);
    }
}
