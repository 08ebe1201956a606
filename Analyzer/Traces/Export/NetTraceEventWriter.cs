using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes a .nettrace file of format 6. Events come in order of time and are marked as sorted, so readers need not buffer them. Allocates
/// only for new types, threads and stacks.
/// </summary>
/// <remarks>
/// Stacks and labels are discarded at sequence points, which are written when the stacks fill their buffer. A single capture thread writes
/// all events; a gap in its sequence numbers at the end represents the recording's lost events. Source of the format: NetTraceFormat.md
/// (version 6) of microsoft/perfview.
/// </remarks>
internal sealed class NetTraceEventWriter : IDisposable
{
    /// <summary>Index of the thread that captures all events.</summary>
    private const int CapturingThread = 1;

    // Kinds of blocks.
    private const int Trace = 1;
    private const int Event = 2;
    private const int Metadata = 3;
    private const int SequencePoint = 4;
    private const int Stack = 5;
    private const int Thread = 6;
    private const int LabelList = 8;

    /// <summary>Size at which a block of events ends; the format allows 16 MB.</summary>
    private const int EventBlockBytes = 256 << 10;
    private const int MaxStackBlockBytes = 4 << 20;

    /// <summary>TraceEvent stores the size of a stack, plus 8 bytes, in 16 bits.</summary>
    private const int MaxFrames = (ushort.MaxValue - sizeof(ulong)) / sizeof(ulong);

    private readonly FileStream _file;
    private readonly BlockBuffer _events = new(EventBlockBytes * 2);
    private readonly BlockBuffer _types = new(4096);
    private readonly BlockBuffer _threads = new(4096);
    private readonly LabelInterner _labels = new();
    private readonly StackInterner _stacks = new();
    private readonly Dictionary<(int Process, int Thread), int> _threadIndexes = [];
    private readonly byte[] _scratch = new byte[64];
    private int _typeCount;
    private int _threadCount;
    private uint _sequence;

    /// <summary>Fields of the previous event in the block: a header has only the differences.</summary>
    private (int Type, int Thread, int Processor, int Stack, long Time, int Labels, int PayloadBytes) _last;
    private (long First, long Last) _blockTimes = (long.MaxValue, 0);

    /// <summary>Creates the file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="startUtc">When the trace began.</param>
    /// <param name="startTicks">The same on the trace's clock.</param>
    /// <param name="frequency">Ticks per second of that clock.</param>
    /// <param name="pairs">Key-value pairs of the trace.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public NetTraceEventWriter(string path, DateTime startUtc, long startTicks, long frequency, IReadOnlyDictionary<string, string> pairs)
    {
        _file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, 64 << 10);
        _file.Write([.. NetTraceLayout.Magic, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]);
        var trace = new BlockBuffer(512);
        foreach (
            var part in (ReadOnlySpan<int>)
                [
                    startUtc.Year,
                    startUtc.Month,
                    (int)startUtc.DayOfWeek,
                    startUtc.Day,
                    startUtc.Hour,
                    startUtc.Minute,
                    startUtc.Second,
                    startUtc.Millisecond,
                ]
        )
            trace.UInt16(part);
        trace.Int64(startTicks);
        trace.Int64(frequency);
        trace.Int32(sizeof(ulong));
        trace.Int32(pairs.Count);
        foreach (var (key, value) in pairs)
        {
            trace.Text(key);
            trace.Text(value);
        }

        WriteBlock(Trace, trace.Written);
        _types.UInt16(0); // no header
        ThreadIndex(0, 0, "esp-analyze");
    }

    /// <summary>Time of the last event.</summary>
    public long LastTime { get; private set; }

    /// <summary>Number of events that came after a later one; they get that one's time.</summary>
    public long LateEvents { get; private set; }

    /// <summary>Number of stacks too long for readers; their outermost frames are omitted.</summary>
    public long CutStacks { get; private set; }

    /// <summary>Describes a kind of event.</summary>
    /// <returns>Its id for <see cref="Write"/>.</returns>
    public int AddType(NetTraceEventType type)
    {
        var more = new BlockBuffer(64);
        more.Byte(3);
        more.Int64(type.Keywords);
        more.Byte(8);
        more.Byte(type.Level);
        more.Byte(9);
        more.Byte(type.Version);
        if (type.Opcode != 0)
        {
            more.Byte(1);
            more.Byte(type.Opcode);
        }

        var row = new BlockBuffer(256);
        row.Variable((ulong)++_typeCount);
        row.Text(type.ProviderName);
        row.Variable((uint)type.EventId);
        row.Text(type.Name);
        row.Bytes(type.Fields.Bytes);
        row.UInt16(more.Written.Length);
        row.Bytes(more.Written);
        _types.UInt16(row.Written.Length);
        _types.Bytes(row.Written);
        return _typeCount;
    }

    /// <summary>The index of a thread.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="name">Its name at its first occurrence; empty when unknown.</param>
    public int ThreadIndex(int process, int thread, string name = "")
    {
        ref var index = ref CollectionsMarshal.GetValueRefOrAddDefault(_threadIndexes, (process, thread), out var isKnown);
        if (!isKnown)
            index = AddThread(process, thread, name);
        return index;
    }

    /// <summary>Names a thread: it gets a new index, because the name of an index cannot change.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="name">The name.</param>
    public void NameThread(int process, int thread, string name) => _threadIndexes[(process, thread)] = AddThread(process, thread, name);

    private int AddThread(int process, int thread, string name)
    {
        var index = ++_threadCount;
        var row = new BlockBuffer(64);
        row.Variable((ulong)index);
        if (name.Length > 0)
        {
            row.Byte(1);
            row.Text(name);
        }

        row.Byte(2);
        row.Variable((ulong)process);
        row.Byte(3);
        row.Variable((ulong)(uint)thread);
        _threads.UInt16(row.Written.Length);
        _threads.Bytes(row.Written);
        return index;
    }

    /// <summary>Writes an event.</summary>
    /// <param name="time">Time on the trace's clock; an earlier time than that of the last event is raised to it.</param>
    /// <param name="type">Id from <see cref="AddType"/>.</param>
    /// <param name="thread">Index from <see cref="ThreadIndex"/>.</param>
    /// <param name="processor">Processor; -1 when unknown.</param>
    /// <param name="payload">Its fields.</param>
    /// <param name="stack">Its stack, leaf first.</param>
    /// <param name="activity">Its activity; empty for none.</param>
    /// <param name="related">The activity that led to it; empty for none.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(
        long time,
        int type,
        int thread,
        int processor,
        ReadOnlySpan<byte> payload,
        ReadOnlySpan<ulong> stack = default,
        Guid activity = default,
        Guid related = default
    )
    {
        if (_events.Written.Length >= EventBlockBytes || _stacks.PendingBytes >= MaxStackBlockBytes)
            Flush();
        if (_stacks.IsFull)
            EndSequence(0);
        if (stack.Length > MaxFrames)
        {
            stack = stack[..MaxFrames];
            CutStacks++;
        }

        if (time < LastTime)
            LateEvents++;
        LastTime = time = Math.Max(time, LastTime);
        _sequence++;
        var (stackId, labels) = (_stacks.GetOrAdd(stack), _labels.GetOrAdd(activity, related));
        _blockTimes = (Math.Min(_blockTimes.First, time), time);
        WriteHeader((type, thread, processor, stackId, time, labels, payload.Length));
        _events.Bytes(payload);
    }

    /// <summary>Ends the file.</summary>
    /// <param name="lost">Number of events that the recording lost.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void End(long lost)
    {
        Flush();
        EndSequence((uint)Math.Min(lost, int.MaxValue));
        _file.Write([0, 0, 0, 0]);
        _file.Flush();
    }

    /// <inheritdoc />
    public void Dispose() => _file.Dispose();

    private void WriteHeader((int Type, int Thread, int Processor, int Stack, long Time, int Labels, int PayloadBytes) next)
    {
        const int IsSorted = 64;
        var isFirst = _events.Written.IsEmpty;
        var hasCapture = isFirst || next.Processor != _last.Processor;
        var fields =
            IsSorted
            | (next.Type != _last.Type ? 1 : 0)
            | (hasCapture ? 2 : 0)
            | (next.Thread != _last.Thread ? 4 : 0)
            | (next.Stack != _last.Stack ? 8 : 0)
            | (next.Labels != _last.Labels ? 16 : 0)
            | (next.PayloadBytes != _last.PayloadBytes ? 128 : 0);
        _events.Byte(fields);
        if ((fields & 1) != 0)
            _events.Variable((uint)next.Type);
        if (hasCapture)
        {
            _events.Variable(isFirst ? _sequence - 1 : 0); // one is added for each event
            _events.Variable(CapturingThread);
            _events.Variable((uint)next.Processor);
        }

        if ((fields & 4) != 0)
            _events.Variable((uint)next.Thread);
        if ((fields & 8) != 0)
            _events.Variable((uint)next.Stack);
        _events.Variable((ulong)(next.Time - _last.Time));
        if ((fields & 16) != 0)
            _events.Variable((uint)next.Labels);
        if ((fields & 128) != 0)
            _events.Variable((uint)next.PayloadBytes);
        _last = next;
    }

    /// <summary>Writes pending blocks; data that events refer to comes first.</summary>
    private void Flush()
    {
        WritePending(Thread, _threads);
        if (_types.Written.Length > sizeof(ushort))
            WritePending(Metadata, _types);
        if (_types.Written.IsEmpty)
            _types.UInt16(0);
        if (_stacks.PendingBytes > 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(_scratch, _stacks.FirstPending);
            BinaryPrimitives.WriteInt32LittleEndian(_scratch.AsSpan(4), _stacks.PendingCount);
            WriteBlock(Stack, _scratch.AsSpan(0, 8), _stacks.TakePending());
        }

        if (_labels.PendingCount > 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(_scratch, _labels.FirstPending);
            BinaryPrimitives.WriteInt32LittleEndian(_scratch.AsSpan(4), _labels.PendingCount);
            WriteBlock(LabelList, _scratch.AsSpan(0, 8), _labels.TakePending());
        }

        if (_events.Written.IsEmpty)
            return;
        BinaryPrimitives.WriteInt16LittleEndian(_scratch, EventBlock.HeadBytes);
        BinaryPrimitives.WriteInt16LittleEndian(_scratch.AsSpan(2), EventBlock.IsCompressed);
        BinaryPrimitives.WriteInt64LittleEndian(_scratch.AsSpan(4), _blockTimes.First);
        BinaryPrimitives.WriteInt64LittleEndian(_scratch.AsSpan(12), _blockTimes.Last);
        WriteBlock(Event, _scratch.AsSpan(0, EventBlock.HeadBytes), _events.Written);
        _events.Clear();
        (_last, _blockTimes) = (default, (long.MaxValue, 0));
    }

    /// <summary>Writes a sequence point, after which stacks and labels are numbered from 1 again.</summary>
    private void EndSequence(uint lost)
    {
        Flush();
        _sequence += lost;
        var point = new BlockBuffer(32);
        point.Int64(LastTime);
        point.Int32(0); // threads and types stay
        point.Int32(1);
        point.Variable(CapturingThread);
        point.Variable(_sequence);
        WriteBlock(SequencePoint, point.Written);
        _stacks.Clear();
        _labels.Clear();
    }

    private void WritePending(int kind, BlockBuffer content)
    {
        if (content.Written.IsEmpty)
            return;
        WriteBlock(kind, content.Written);
        content.Clear();
    }

    private void WriteBlock(int kind, ReadOnlySpan<byte> head, ReadOnlySpan<byte> rest = default)
    {
        Span<byte> block = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(block, (head.Length + rest.Length) | (kind << 24));
        _file.Write(block);
        _file.Write(head);
        _file.Write(rest);
    }
}
