namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Merges the events of several threads, each in time order, into one order.</summary>
/// <remarks>
/// A block has a thread's events in order, but the blocks of threads are in any order. An event marked as sorted promises that all later
/// ones in the file are at least as new; a sequence point separates all events before and after it. So all events up to such a time can be
/// delivered (<see cref="Limit"/>), always from the thread with the oldest first event: a merge. The heap is needed only when the thread
/// changes, because a thread continues until its next event is newer than the next thread's first.
/// </remarks>
internal sealed class EventOrder
{
    /// <summary>Threads with waiting events, by the time of the first; without the current one.</summary>
    private readonly PriorityQueue<Lane, long> _waiting = new();

    /// <summary>The current thread.</summary>
    private Lane? _current;

    /// <summary>Time of the first event of another thread.</summary>
    private long _next = long.MaxValue;

    /// <summary>Events up to this time can be delivered.</summary>
    public long Limit { get; set; } = long.MinValue;

    /// <summary>Whether no event waits.</summary>
    public bool IsEmpty => _current is null && _waiting.Count == 0;

    /// <summary>Adds an event, which must be newer than its thread's previous ones.</summary>
    public void Add(Lane lane, in PendingEvent item)
    {
        lane.Events.Add(item);
        if (lane.Events.Count == 1 && lane != _current)
            Wait(lane);
    }

    /// <summary>Removes the oldest event.</summary>
    /// <returns>False when there is none up to <see cref="Limit"/>.</returns>
    public bool TryTake(out PendingEvent item)
    {
        if (_current is null)
        {
            if (!_waiting.TryPeek(out var first, out var time) || time > Limit)
            {
                item = default;
                return false;
            }

            _waiting.Dequeue();
            _next = _waiting.TryPeek(out _, out var next) ? next : long.MaxValue;
            _current = first;
        }

        item = _current.Events.Take();
        if (_current.Events.Count == 0)
        {
            _current = null;
        }
        else if (_current.Events.First.Time is var following && (following > _next || following > Limit))
        {
            Wait(_current);
            _current = null;
        }

        return true;
    }

    private void Wait(Lane lane) => _waiting.Enqueue(lane, lane.Events.First.Time);

    /// <summary>Waiting events of a thread, with its sequence number.</summary>
    internal sealed class Lane
    {
        /// <summary>Waiting events, oldest first.</summary>
        public PendingEvents Events { get; } = new();

        /// <summary>Sequence number of the last event.</summary>
        public uint Sequence { get; set; }

        /// <summary>Its time; 0 before the first event.</summary>
        public long Time { get; set; }
    }
}

/// <summary>An event that waits for earlier ones. Offsets are in its block's content.</summary>
internal readonly struct PendingEvent
{
    /// <summary>Kind.</summary>
    public required NetTraceEventType Type { get; init; }

    /// <summary>Content of its block.</summary>
    public required NetTraceBlockBuffer Block { get; init; }

    /// <summary>Time in ticks of the file's clock.</summary>
    public required long Time { get; init; }

    /// <summary>Its process.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Its thread.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Processor that wrote it.</summary>
    public required int Processor { get; init; }

    /// <summary>Offset of its payload.</summary>
    public required int PayloadAt { get; init; }

    /// <summary>Size of its payload.</summary>
    public required int PayloadBytes { get; init; }

    /// <summary>Id of its stack; 0 for none.</summary>
    public required int StackId { get; init; }

    /// <summary>Its labels in format 6; null for none.</summary>
    public required EventLabels? Labels { get; init; }

    /// <summary>Offset of its activity's id; 0 for none.</summary>
    public required int ActivityAt { get; init; }

    /// <summary>Offset of the related activity's id; 0 for none.</summary>
    public required int RelatedActivityAt { get; init; }
}

/// <summary>Content of an event block, kept until its last event was delivered.</summary>
/// <param name="bytes">The content, rented.</param>
internal sealed class NetTraceBlockBuffer(byte[] bytes)
{
    /// <summary>The content; the array is longer than the block.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>Number of undelivered events.</summary>
    public int Events { get; set; }
}
