using System.Buffers;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>A queue of a thread's waiting events in a rented array.</summary>
internal sealed class PendingEvents
{
    private PendingEvent[] _events = [];

    /// <summary>Index of the oldest event; the others follow circularly.</summary>
    private int _first;

    /// <summary>Number of events.</summary>
    public int Count { get; private set; }

    /// <summary>The oldest event; the queue must not be empty.</summary>
    public ref readonly PendingEvent First => ref _events[_first];

    /// <summary>Appends an event.</summary>
    public void Add(in PendingEvent item)
    {
        if (Count == _events.Length)
            Grow();
        var place = _first + Count++;
        _events[place < _events.Length ? place : place - _events.Length] = item;
    }

    /// <summary>Removes the oldest event; the queue must not be empty.</summary>
    public PendingEvent Take()
    {
        var item = _events[_first];
        _first = _first + 1 < _events.Length ? _first + 1 : 0;
        Count--;
        return item;
    }

    /// <summary>Returns the array and clears the events.</summary>
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
