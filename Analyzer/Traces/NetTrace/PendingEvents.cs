using System.Buffers;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Events of a thread that wait for those of other threads: a queue in a rented array, which the next file's reader uses again.</summary>
internal sealed class PendingEvents
{
    private PendingEvent[] _events = [];

    /// <summary>Place of the oldest event; the others follow, from the array's end on at its begin.</summary>
    private int _first;

    /// <summary>Number of events.</summary>
    public int Count { get; private set; }

    /// <summary>The oldest event; there must be one.</summary>
    public ref readonly PendingEvent First => ref _events[_first];

    /// <summary>Adds an event after the others.</summary>
    public void Add(in PendingEvent item)
    {
        if (Count == _events.Length)
            Grow();
        var place = _first + Count++;
        _events[place < _events.Length ? place : place - _events.Length] = item;
    }

    /// <summary>Takes the oldest event; there must be one.</summary>
    public PendingEvent Take()
    {
        var item = _events[_first];
        _first = _first + 1 < _events.Length ? _first + 1 : 0;
        Count--;
        return item;
    }

    /// <summary>Gives the array back, and forgets the events.</summary>
    public void Clear()
    {
        if (_events.Length > 0)
            ArrayPool<PendingEvent>.Shared.Return(_events, clearArray: true);
        (_events, _first, Count) = ([], 0, 0);
    }

    private void Grow()
    {
        var larger = ArrayPool<PendingEvent>.Shared.Rent(Math.Max(16, 2 * Count));
        var before = _events.Length - _first;
        Array.Copy(_events, _first, larger, 0, before);
        Array.Copy(_events, 0, larger, before, _first);
        var count = Count;
        Clear();
        (_events, Count) = (larger, count);
    }
}
