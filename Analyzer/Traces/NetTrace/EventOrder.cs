namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Brings the events of several threads, each in order of time, into one order.</summary>
/// <remarks>
/// A block has events of a thread in their order, but the blocks of threads stand in any order. An event marked as sorted promises that no later one in the file is older; a sequence point promises it of all
/// before and after it. So all events up to such a time can go (<see cref="Limit"/>), the oldest first event of a thread each time: a merge. The heap is asked only where the thread changes,
/// since a thread goes on until its next event is younger than the next thread's first.
/// </remarks>
internal sealed class EventOrder
{
    /// <summary>Threads with events that wait, by the time of the first; without the one that events are taken from now.</summary>
    private readonly PriorityQueue<Lane, long> _waiting = new();

    /// <summary>The thread that events are taken from.</summary>
    private Lane? _current;

    /// <summary>Time of the first event of another thread.</summary>
    private long _next = long.MaxValue;

    /// <summary>Events up to this time can be taken.</summary>
    public long Limit { get; set; } = long.MinValue;

    /// <summary>Whether no event waits.</summary>
    public bool IsEmpty => _current is null && _waiting.Count == 0;

    /// <summary>Adds an event, which is younger than those of its thread before it.</summary>
    public void Add(Lane lane, in PendingEvent item)
    {
        lane.Events.Add(item);
        if (lane.Events.Count == 1 && lane != _current)
            Wait(lane);
    }

    /// <summary>Takes the oldest event.</summary>
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

    /// <summary>The events of a thread that wait, and how many it tried to write.</summary>
    internal sealed class Lane
    {
        /// <summary>Events that wait, the oldest first.</summary>
        public PendingEvents Events { get; } = new();

        /// <summary>Number of the last event.</summary>
        public uint Sequence { get; set; }
    }
}

/// <summary>An event that waits for those before it. Offsets are those in its block's content.</summary>
internal readonly struct PendingEvent
{
    /// <summary>What it is.</summary>
    public required NetTraceEventType Type { get; init; }

    /// <summary>The content of its block.</summary>
    public required NetTraceBlockBuffer Block { get; init; }

    /// <summary>When, in ticks of the file's clock.</summary>
    public required long Time { get; init; }

    /// <summary>Its process.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Its thread.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Processor that it was written on.</summary>
    public required int Processor { get; init; }

    /// <summary>Offset of its payload.</summary>
    public required int PayloadAt { get; init; }

    /// <summary>Size of its payload.</summary>
    public required int PayloadBytes { get; init; }

    /// <summary>Number of its stack, 0 for none.</summary>
    public required int StackId { get; init; }

    /// <summary>Its labels, of format 6; null for none.</summary>
    public required EventLabels? Labels { get; init; }

    /// <summary>Offset of its activity's id, 0 for none.</summary>
    public required int ActivityAt { get; init; }

    /// <summary>Offset of the related activity's id, 0 for none.</summary>
    public required int RelatedActivityAt { get; init; }
}

/// <summary>Content of an event block, kept until its last event was given out.</summary>
/// <param name="bytes">The content, rented.</param>
internal sealed class NetTraceBlockBuffer(byte[] bytes)
{
    /// <summary>The content; longer than the block.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>Events that were not given out.</summary>
    public int Events { get; set; }
}
