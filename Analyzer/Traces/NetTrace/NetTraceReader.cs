using System.Buffers;
using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using EtwSerializerProfiler.Traces.Packing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Reads the events of a .nettrace file (formats 4 to 6) in time order. Allocates for new kinds of events, stacks and threads, not per
/// event.
/// </summary>
/// <remarks>Sources of the format: NetTraceFormat_v5.md and NetTraceFormat.md (version 6) of microsoft/perfview.</remarks>
internal sealed class NetTraceReader : IDisposable
{
    private readonly NetTraceLayout _layout;

    /// <summary>Excludes events; null for none.</summary>
    private readonly INetTraceFilter? _filter;
    private readonly Stream _file;
    private readonly Dictionary<int, NetTraceEventType> _types = [];
    private readonly EventOrder _order = new();
    private readonly StackTable _stacks;
    private readonly ThreadTable _threads = new();
    private readonly LabelTable _labels = new();

    /// <summary>Lanes by capturing thread: by its id, in format 6 by its index.</summary>
    private readonly Dictionary<long, EventOrder.Lane> _lanes = [];

    private readonly GapCollector _gaps = new();

    /// <summary>Time of the newest event so far.</summary>
    private long _newest;

    /// <summary>Bytes of the file reported as read.</summary>
    private long _reported;

    /// <summary>Lanes of removed threads, for reuse.</summary>
    private readonly Stack<EventOrder.Lane> _free = [];

    /// <summary>Receives reading progress; null for none.</summary>
    private readonly ReadPass? _pass;

    /// <summary>Index of the next block.</summary>
    private int _next;

    /// <summary>Event types in the current block, if no earlier reader noted them.</summary>
    private readonly List<int> _typesOfBlock = [];

    /// <summary>Block of the delivered event.</summary>
    private NetTraceBlockBuffer? _given;
    private PendingEvent _current;

    /// <summary>Opens the file of a scanned <paramref name="layout"/>.</summary>
    /// <param name="layout">The file.</param>
    /// <param name="filter">Excludes events; null for none.</param>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    public NetTraceReader(NetTraceLayout layout, INetTraceFilter? filter = null)
    {
        (_layout, _filter) = (layout, filter);
        _stacks = new StackTable(layout.Header.PointerBytes);
        Damage = layout.Damage;
        _file = PackedFile.OpenRead(layout.Path, 0, FileOptions.SequentialScan);
        _pass = ReadProgress.Current?.Begin(layout.Path, layout.ValidBytes);
    }

    /// <summary>
    /// Whether to leave out blocks in which an earlier reader found no event that the filter wants. Then <see cref="LostEvents"/> and the
    /// filter's counts are meaningless.
    /// </summary>
    public bool SkipsBlocks { get; init; }

    /// <summary>Names of the threads so far, in format 6.</summary>
    public IReadOnlyDictionary<(int ProcessId, int ThreadId), string> ThreadNames => _threads.Names;

    /// <summary>Number of lost events: gaps in the sequence numbers of the threads.</summary>
    public long LostEvents { get; private set; }

    /// <summary>Intervals in which they were lost.</summary>
    public IReadOnlyList<EventGap> Gaps => _gaps.Gaps();

    /// <summary>Position of damage or truncation; null when complete. Events before it are delivered.</summary>
    public TraceDamage? Damage { get; private set; }

    /// <summary>Reads the next event.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="IOException">The file became unreadable.</exception>
    public bool TryRead(out NetTraceEvent item)
    {
        Release();
        PendingEvent next;
        while (!_order.TryTake(out next))
        {
            if (!TryAdvance())
            {
                item = default;
                return false;
            }
        }

        _given = next.Block;
        _current = next;
        item = Current;
        return true;
    }

    /// <summary>The last event, for readers of several files; valid until the next one is read.</summary>
    public NetTraceEvent Current =>
        new()
        {
            Type = _current.Type,
            Time = _current.Time,
            ProcessId = _current.ProcessId,
            ThreadId = _current.ThreadId,
            Processor = _current.Processor,
            ActivityId = _current.Labels?.ActivityId ?? GuidAt(_current.Block, _current.ActivityAt),
            RelatedActivityId = _current.Labels?.RelatedActivityId ?? GuidAt(_current.Block, _current.RelatedActivityAt),
            Labels = _current.Labels,
            Payload = _current.Block.Bytes.AsSpan(_current.PayloadAt, _current.PayloadBytes),
            Stack = _stacks.Find(_current.StackId),
        };

    /// <summary>Reads the event kinds that the file describes, by id. Call it before reading the first event, or not at all.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public IReadOnlyDictionary<int, NetTraceEventType> ReadTypes()
    {
        foreach (var place in _layout.Blocks.Where(place => place.Kind == NetTraceBlockKind.Metadata))
        {
            if (!TryReadBlock(place, out var block))
                break;
            MetadataBlock.TryRead(block.Bytes.AsSpan(0, place.ContentBytes), _layout.Header.Version, _types);
            ArrayPool<byte>.Shared.Return(block.Bytes);
        }

        return _types;
    }

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var lane in _lanes.Values.Concat(_free))
            lane.Events.Clear();
        _stacks.Dispose();
        _file.Dispose();
        _pass?.End();
    }

    private static Guid GuidAt(NetTraceBlockBuffer block, int offset) => offset == 0 ? default : new Guid(block.Bytes.AsSpan(offset, 16));

    private void Release()
    {
        if (_given is { } block && --block.Events == 0)
            ArrayPool<byte>.Shared.Return(block.Bytes);
        _given = null;
    }

    /// <summary>Reads a block, or releases all waiting events.</summary>
    /// <returns>False at the end of the file.</returns>
    private bool TryAdvance()
    {
        var isAtEnd = _next == _layout.Blocks.Count;
        if (!_order.IsEmpty && (isAtEnd || _layout.Blocks[_next].Kind == NetTraceBlockKind.SequencePoint))
        {
            _order.Limit = long.MaxValue;
            return true;
        }

        Report(isAtEnd ? _layout.ValidBytes : _layout.Blocks[_next].Start);
        if (isAtEnd)
            return false;
        var place = _layout.Blocks[_next++];
        if (place.Kind is not { } kind)
            return true;
        if ((SkipsBlocks && kind == NetTraceBlockKind.Event && HasNothingWanted(_next - 1)) || !TryReadBlock(place, out var block))
            return true;
        var content = block.Bytes.AsSpan(0, place.ContentBytes);
        var isWhole = kind switch
        {
            NetTraceBlockKind.Event => TryReadEvents(block, content),
            NetTraceBlockKind.Metadata => MetadataBlock.TryRead(content, _layout.Header.Version, _types),
            NetTraceBlockKind.Stack => _stacks.TryAdd(content),
            NetTraceBlockKind.Thread => _threads.TryAdd(content),
            NetTraceBlockKind.RemoveThread => TryRemoveThreads(content),
            NetTraceBlockKind.LabelList => _labels.TryAdd(content),
            _ => TryReadSequencePoint(content),
        };
        if (block.Events == 0)
            ArrayPool<byte>.Shared.Return(block.Bytes);
        if (!isWhole)
            StopAt(place, $"this {kind} block cannot be decoded");
        return true;
    }

    private bool HasNothingWanted(int block)
    {
        if (_filter is null || _layout.TypesOfBlocks[block] is not { } types)
            return false;
        foreach (var id in types)
        {
            if (!_types.TryGetValue(id, out var type) || _filter.Wants(type))
                return false;
        }

        return true;
    }

    private void StopAt(in NetTraceBlockPlace place, string reason)
    {
        Damage = new TraceDamage(_layout.Path, place.Start, _layout.FileBytes, reason);
        _next = _layout.Blocks.Count;
    }

    private void Report(long offset)
    {
        _pass?.Advance(offset - _reported);
        _reported = offset;
    }

    /// <summary>Reads a block; false where a compressed file is damaged.</summary>
    private bool TryReadBlock(in NetTraceBlockPlace place, out NetTraceBlockBuffer block)
    {
        block = new NetTraceBlockBuffer(ArrayPool<byte>.Shared.Rent(place.ContentBytes));
        _file.Position = place.ContentAt;
        if (
            _file.ReadAtLeast(block.Bytes.AsSpan(0, place.ContentBytes), place.ContentBytes, throwOnEndOfStream: false)
            == place.ContentBytes
        )
            return true;
        ArrayPool<byte>.Shared.Return(block.Bytes);
        StopAt(place, (_file as PackedStream)?.Problem ?? throw new EndOfStreamException("The file became shorter while it was read."));
        return false;
    }

    private bool TryReadEvents(NetTraceBlockBuffer block, ReadOnlySpan<byte> content)
    {
        var version = _layout.Header.Version;
        var reader = new PayloadReader(content);
        if (!EventBlock.TryReadHead(ref reader, out var isCompressed))
            return false;
        _order.Limit = long.MinValue;
        var notesTypes = version < 6 && _layout.TypesOfBlocks[_next - 1] is null;
        _typesOfBlock.Clear();
        var header = default(EventHeader);
        EventOrder.Lane? lane = null;
        NetTraceEventType? type = null;
        var isWanted = true;
        EventLabels? labels = null;
        var (capturing, thread, metadata, labelList) = (0L, 0L, 0, 0u);
        var (processId, threadId) = (0, 0);
        while (reader.Left > 0)
        {
            if (!header.TryRead(ref reader, isCompressed, version))
                return false;
            var isNew = lane is null;
            if (isNew || header.CapturingThread != capturing)
                lane = LaneOf(capturing = header.CapturingThread, header.Sequence - 1);
            if (isNew || header.Thread != thread)
                (processId, threadId) = version >= 6 ? _threads.Find(header.Thread) : (_layout.Header.ProcessId, (int)header.Thread);
            thread = header.Thread;
            if (type is null || header.MetadataId != metadata || header.LabelList != labelList)
            {
                (metadata, labelList) = (header.MetadataId, header.LabelList);
                if (notesTypes && !_typesOfBlock.Contains(metadata))
                    _typesOfBlock.Add(metadata);
                if (!_types.TryGetValue(metadata, out type))
                    return false;
                labels = _labels.Find(labelList);
                type = _labels.TypeOf(type, labels);
                isWanted = _filter?.Wants(type) ?? true;
            }

            CountLost(lane!, header.Sequence - 1, header.Time);
            lane!.Sequence = header.Sequence;
            lane.Time = header.Time;
            _newest = Math.Max(_newest, header.Time);
            if (isWanted)
            {
                block.Events++;
                _order.Add(
                    lane,
                    new PendingEvent
                    {
                        Type = type,
                        Block = block,
                        Time = header.Time,
                        ProcessId = processId,
                        ThreadId = threadId,
                        Processor = header.Processor,
                        PayloadAt = content.Length - reader.Left,
                        PayloadBytes = header.PayloadBytes,
                        StackId = header.StackId,
                        Labels = labels,
                        ActivityAt = header.ActivityFromEnd == 0 ? 0 : content.Length - header.ActivityFromEnd,
                        RelatedActivityAt = header.RelatedActivityFromEnd == 0 ? 0 : content.Length - header.RelatedActivityFromEnd,
                    }
                );
            }
            else
            {
                _filter!.OnLeftOut(type, header.Time, processId);
            }

            if (header.IsSorted)
                _order.Limit = Math.Max(_order.Limit, header.Time);
            reader.Bytes(header.PayloadBytes);
            EventBlock.SkipPadding(ref reader, isCompressed, header.PayloadBytes);
        }

        if (notesTypes)
            _layout.TypesOfBlocks[_next - 1] = [.. _typesOfBlock];
        return true;
    }

    /// <summary>Reads a sequence point with the threads' sequence numbers. Stack ids restart after it.</summary>
    private bool TryReadSequencePoint(ReadOnlySpan<byte> content)
    {
        const int FlushThreads = 1,
            FlushMetadata = 2;
        var isVersion6 = _layout.Header.Version >= 6;
        var reader = new PayloadReader(content);
        reader.Int64();
        var flags = isVersion6 ? reader.Int32() : 0;
        var count = reader.Int32();
        for (var i = 0; i < count; i++)
        {
            var (thread, sequence) = isVersion6
                ? ((long)reader.Variable(), (uint)reader.Variable())
                : (reader.Int64(), (uint)reader.Int32());
            if (!reader.Fits)
                return false;
            Reach(LaneOf(thread, sequence), sequence);
        }

        _stacks.Clear();
        _labels.Clear();
        if ((flags & FlushThreads) != 0)
        {
            foreach (var lane in _lanes.Values)
                _free.Push(lane);
            _lanes.Clear();
            _threads.Clear();
        }

        if ((flags & FlushMetadata) != 0)
            _types.Clear();
        return reader.Fits;
    }

    private bool TryRemoveThreads(ReadOnlySpan<byte> content)
    {
        var reader = new PayloadReader(content);
        while (reader.Left > 0)
        {
            var (thread, sequence) = ((long)reader.Variable(), (uint)reader.Variable());
            if (!reader.Fits)
                return false;
            if (_lanes.Remove(thread, out var lane))
                Reach(lane, sequence);
            _threads.Remove(thread);
        }

        return true;
    }

    private EventOrder.Lane LaneOf(long capturingThread, uint sequence)
    {
        if (!_lanes.TryGetValue(capturingThread, out var lane))
        {
            lane = _free.TryPop(out var free) ? free : new EventOrder.Lane();
            (lane.Sequence, lane.Time) = (sequence, 0);
            _lanes.Add(capturingThread, lane);
        }

        return lane;
    }

    private void Reach(EventOrder.Lane lane, uint sequence)
    {
        CountLost(lane, sequence, _newest);
        lane.Sequence = sequence;
    }

    /// <summary>
    /// Counts skipped sequence numbers as lost events. Formats 4 and 5 use thread ids, which the system reuses: the numbers then restart
    /// below the previous ones.
    /// </summary>
    private void CountLost(EventOrder.Lane lane, uint reached, long time)
    {
        var lost = (int)(reached - lane.Sequence);
        if (lost <= 0)
            return;
        LostEvents += lost;
        _gaps.Add(lane.Time > 0 ? lane.Time : _layout.Header.Clock.OriginTicks, time, lost);
    }
}
