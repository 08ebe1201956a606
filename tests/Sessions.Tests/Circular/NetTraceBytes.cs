using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Tests.Circular;

/// <summary>
/// A .nettrace stream (format 4) made by hand: batches of events of several threads with stacks, sequence points, metadata, a rundown at
/// its end.
/// </summary>
internal sealed class NetTraceBytes
{
    /// <summary>Ids of the events, which are also those of their metadata.</summary>
    public const int EventId = 1;
    public const int RundownEventId = 2;

    /// <summary>Time of the first event; each following one is 1 later.</summary>
    public const long FirstTime = 1_000_000;

    private readonly List<byte> _bytes = [];
    private readonly Dictionary<long, int> _sequence = [];
    private readonly List<(long Time, int Number)> _events = [];
    private int _nextStack = 1;

    /// <summary>Number of the event whose stack has id 1.</summary>
    private int _firstOfGeneration;

    public NetTraceBytes()
    {
        _bytes.AddRange("Nettrace"u8);
        Int32(20);
        _bytes.AddRange("!FastSerialization.1"u8);
        Type("Trace", 4);
        foreach (var part in (short[])[2026, 11, 6, 21, 14, 0, 0, 0])
            _bytes.AddRange(BitConverter.GetBytes(part));
        Int64(FirstTime - 1000);
        Int64(1_000_000_000);
        foreach (var part in (int[])[8, 77, 2, 0])
            Int32(part);
        _bytes.Add(6);
        Metadata(EventId, "Test-Provider");
    }

    /// <summary>Events written, by number.</summary>
    public IReadOnlyList<(long Time, int Number)> Events => _events;

    /// <summary>Time of the next event.</summary>
    public long Time { get; private set; } = FirstTime;

    /// <summary>
    /// A batch: a block of stacks, one an event, and a block of as many events of each thread. A stack holds the number of its event; an
    /// event carries its number and that of its stack, which for every third one is the first since the last sequence point.
    /// </summary>
    public NetTraceBytes Batch(int eventsOfThread, int payloadBytes, params long[] threads)
    {
        var firstStack = _nextStack;
        var firstNumber = _events.Count;
        if (firstStack == 1)
            _firstOfGeneration = firstNumber;
        var stacks = new MemoryStream();
        var count = eventsOfThread * threads.Length;
        stacks.Write(BitConverter.GetBytes(firstStack));
        stacks.Write(BitConverter.GetBytes(count));
        for (var index = 0; index < count; index++)
        {
            stacks.Write(BitConverter.GetBytes(8));
            stacks.Write(BitConverter.GetBytes((long)(firstNumber + index)));
        }

        Block("StackBlock", stacks.ToArray());
        _nextStack += count;

        var from = Time;
        var events = new MemoryStream();
        foreach (var thread in threads)
        {
            for (var index = 0; index < eventsOfThread; index++)
            {
                var number = _events.Count;
                var (stack, stackNumber) = number % 3 == 0 ? (1, _firstOfGeneration) : (firstStack + number - firstNumber, number);
                var payload = new byte[Math.Max(8, payloadBytes & ~3)]; // TraceEvent does not skip an event's padding
                BinaryPrimitives.WriteInt32LittleEndian(payload, number);
                BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), stackNumber);
                var sequence = _sequence[thread] = _sequence.GetValueOrDefault(thread) + 1;
                Event(events, index == 0, EventId, sequence, thread, stack, Time, payload);
                _events.Add((Time, number));
                Time++;
            }
        }

        EventBlock("EventBlock", from, Time - 1, events.ToArray());
        return this;
    }

    /// <summary>A thread loses events: its sequence number goes on without them.</summary>
    public NetTraceBytes Lose(long thread, int events)
    {
        _sequence[thread] = _sequence.GetValueOrDefault(thread) + events;
        return this;
    }

    /// <summary>A sequence point: stack ids restart.</summary>
    public NetTraceBytes SequencePoint()
    {
        var content = new MemoryStream();
        content.Write(BitConverter.GetBytes(Time));
        content.Write(BitConverter.GetBytes(_sequence.Count));
        foreach (var (thread, sequence) in _sequence)
        {
            content.Write(BitConverter.GetBytes(thread));
            content.Write(BitConverter.GetBytes(sequence));
        }

        Time++;
        _nextStack = 1;
        Block("SPBlock", content.ToArray());
        return this;
    }

    /// <summary>The rundown: its metadata and a block of its events.</summary>
    public NetTraceBytes WithRundown(int events)
    {
        Metadata(RundownEventId, "Microsoft-Windows-DotNETRuntimeRundown");
        var from = Time;
        var content = new MemoryStream();
        for (var index = 0; index < events; index++)
        {
            var sequence = _sequence[1] = _sequence.GetValueOrDefault(1) + 1;
            Event(content, index == 0, RundownEventId, sequence, 1, 0, Time++, new byte[200]);
        }

        EventBlock("EventBlock", from, Time - 1, content.ToArray());
        return this;
    }

    /// <summary>The whole stream with its end.</summary>
    public byte[] ToArray() => [.. _bytes, 1];

    private void Metadata(int id, string provider)
    {
        // The event's name is chosen so that the record ends at a multiple of 4 bytes.
        var payload = new MemoryStream();
        payload.Write(BitConverter.GetBytes(id));
        payload.Write(Encoding.Unicode.GetBytes(provider + "\0"));
        payload.Write(BitConverter.GetBytes(id)); // of the event
        payload.Write(Encoding.Unicode.GetBytes(id == EventId ? "Event\0" : "Events\0"));
        payload.Write(BitConverter.GetBytes(1L)); // keywords
        payload.Write(BitConverter.GetBytes(0)); // version
        payload.Write(BitConverter.GetBytes(4)); // level
        payload.Write(BitConverter.GetBytes(0)); // fields
        var content = new MemoryStream();
        Event(content, false, 0, 0, 0, 0, Time, payload.ToArray());
        EventBlock("MetadataBlock", Time, Time, content.ToArray());
    }

    private static void Event(
        MemoryStream content,
        bool isSorted,
        int metadata,
        int sequence,
        long thread,
        int stack,
        long time,
        byte[] payload
    )
    {
        content.Write(BitConverter.GetBytes(76 + payload.Length));
        // Runtime and TraceEvent: the bit says that it is not sorted.
        content.Write(BitConverter.GetBytes(metadata | (isSorted ? 0 : int.MinValue)));
        content.Write(BitConverter.GetBytes(sequence));
        content.Write(BitConverter.GetBytes(thread));
        content.Write(BitConverter.GetBytes(thread));
        content.Write(BitConverter.GetBytes(0)); // processor
        content.Write(BitConverter.GetBytes(stack));
        content.Write(BitConverter.GetBytes(time));
        content.Write(new byte[32]); // activities
        content.Write(BitConverter.GetBytes(payload.Length));
        content.Write(payload);
    }

    private void EventBlock(string type, long from, long to, byte[] events)
    {
        var content = new MemoryStream();
        content.Write(BitConverter.GetBytes((short)20));
        content.Write(BitConverter.GetBytes((short)0)); // headers are not compressed
        content.Write(BitConverter.GetBytes(from));
        content.Write(BitConverter.GetBytes(to));
        content.Write(events);
        Block(type, content.ToArray());
    }

    private void Block(string type, byte[] content)
    {
        Type(type, 2);
        Int32(content.Length);
        _bytes.AddRange(new byte[-_bytes.Count & 3]);
        _bytes.AddRange(content);
        _bytes.Add(6);
    }

    private void Type(string name, int version)
    {
        _bytes.AddRange([5, 5, 1]);
        Int32(version);
        Int32(version);
        Int32(name.Length);
        _bytes.AddRange(Encoding.UTF8.GetBytes(name));
        _bytes.Add(6);
    }

    private void Int32(int value) => _bytes.AddRange(BitConverter.GetBytes(value));

    private void Int64(long value) => _bytes.AddRange(BitConverter.GetBytes(value));
}
