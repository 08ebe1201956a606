using System.Diagnostics;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// One EventPipe stream of which the newest part is kept in memory: written to like a file, and written out as a .nettrace that begins at the cut.
/// </summary>
/// <remarks>
/// Where the stream can be cut: an event block can be decoded without the others; its metadata ids hold to the end of the stream, so metadata blocks
/// are all kept; its stack ids hold up to the next sequence point, so stack blocks are kept as long as an event block before that point is. Sequence
/// numbers count events of a thread; a reader takes the first one it sees as given, so that those before the cut are not taken for lost, as long as
/// blocks are dropped in order. The runtime sets a sequence point every 10 MB of buffers it hands to threads, which at 10 flushes a second and a buffer
/// of 100 KB at least is every 3.4 s here: cutting there only would waste as much. The rundown at the end of a session is kept outside the memory: it
/// names methods that were compiled long before the cut.
/// </remarks>
internal sealed class CircularNetTrace : Stream, ICircularOwner
{
    private const string RundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";

    /// <summary>Tag of a sequence point; that of an event block is its number of events, that of a stack block its generation.</summary>
    private const int SequencePointTag = -1;

    private readonly CircularMemory _memory;
    private readonly NetTraceBlockParser _parser;

    /// <summary>Event blocks and sequence points.</summary>
    private readonly CircularLog _events;

    private readonly CircularLog _stacks;

    private readonly List<byte[]> _metadata = [];

    /// <summary>What came since the rundown began, in its order.</summary>
    private readonly List<(NetTraceBlockKind Kind, byte[] Content)> _tail = [];

    private bool _inTail;

    /// <summary>Sequence points seen, and those before the first chunk of <see cref="_events"/>: stacks of older generations are not needed.</summary>
    private int _generation;
    private int _headGeneration;

    /// <summary>Generation of the stack block that was lost last.</summary>
    private int _lostGeneration = -1;

    /// <summary>When the stream ended, null before.</summary>
    private long? _endTime;

    /// <summary>Creates the trace.</summary>
    /// <param name="memory">Memory of the recording.</param>
    /// <param name="name">Name of the file it will be written to.</param>
    public CircularNetTrace(CircularMemory memory, string name)
    {
        _memory = memory;
        Name = name;
        _parser = new NetTraceBlockParser($"the stream of {name}");
        _events = memory.AddLog(this, timed: true, contiguous: false);
        _stacks = memory.AddLog(this, timed: false, contiguous: false);
    }

    /// <summary>Name of the file it will be written to.</summary>
    public string Name { get; }

    /// <summary>Events in the blocks that were dropped.</summary>
    public long DroppedEvents { get; private set; }

    /// <summary>Bytes of the blocks that were dropped.</summary>
    public long DroppedBytes => _events.DroppedBytes + _stacks.DroppedBytes;

    /// <summary>
    /// Stack blocks that kept events may need and that were dropped all the same: between two sequence points there were more stacks than fit into half of
    /// the memory.
    /// </summary>
    public int LostStackBlocks { get; private set; }

    /// <summary>Whether there is something to be written: the header has arrived, and the process has not ended before the cut.</summary>
    public bool HasContent => _parser.Head.Length > 0 && !(_endTime <= _memory.CutTime);

    /// <summary>Time of the latest event that has arrived; <see cref="long.MinValue"/> before the first.</summary>
    public long NewestTime { get; private set; } = long.MinValue;

    /// <summary>Whether the stream has ended.</summary>
    public bool HasEnded => _endTime is not null;

    /// <inheritdoc />
    public override bool CanRead => false;

    /// <inheritdoc />
    public override bool CanSeek => false;

    /// <inheritdoc />
    public override bool CanWrite => true;

    /// <inheritdoc />
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc />
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>Takes bytes of the stream, in pieces of any size.</summary>
    /// <exception cref="IOException">The stream is none that can be cut, or damaged.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        lock (_memory.Gate)
        {
            _parser.Append(buffer);
            try
            {
                while (_parser.TryRead(out var block))
                    Add(block);
            }
            catch (TraceFormatException exception)
            {
                throw new ProblemException(exception.Problem with { What = $"{exception.Problem.What}; a circular recording cannot cut it", Fix = "record with --mode file" }, exception);
            }
        }
    }

    /// <inheritdoc />
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc />
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    /// <summary>Writes what is kept as a stream of its own. The caller holds the memory's lock.</summary>
    /// <returns>Bytes written.</returns>
    /// <exception cref="IOException">It cannot be written.</exception>
    public long WriteTo(Stream output)
    {
        var writer = new NetTraceBlockWriter(output, _parser.Head);
        foreach (var block in _metadata)
            Write(writer, NetTraceBlockKind.Metadata, block);
        var stacks = _stacks.Read();
        var hasStack = stacks.TryNext(out var stack);
        var generation = _headGeneration;
        WriteStacks();
        var events = _events.Read();
        while (events.TryNext(out var chunk))
        {
            var isPoint = chunk.Tag == SequencePointTag;
            Write(writer, isPoint ? NetTraceBlockKind.SequencePoint : NetTraceBlockKind.Event, chunk, ref events);
            if (!isPoint)
                continue;
            generation++;
            WriteStacks();
        }

        foreach (var (kind, content) in _tail)
            Write(writer, kind, content);
        writer.EndStream();
        return writer.Bytes;

        void WriteStacks()
        {
            for (; hasStack && stack.Tag <= generation; hasStack = stacks.TryNext(out stack))
                Write(writer, NetTraceBlockKind.Stack, stack, ref stacks);
        }
    }

    /// <summary>Gives its logs back; for a trace without content.</summary>
    public void Forget()
    {
        _memory.Remove(_events);
        _memory.Remove(_stacks);
    }

    /// <inheritdoc />
    public void OnDropping(CircularLog log, in CircularChunk chunk)
    {
        if (log == _stacks)
        {
            LoseStacks(chunk.Tag);
        }
        else if (chunk.Tag == SequencePointTag)
        {
            BeginHeadGeneration();
        }
        else
        {
            DroppedEvents += chunk.Tag;
        }

        if (_endTime <= _memory.CutTime)
        {
            _metadata.Clear();
            _tail.Clear();
        }
    }

    /// <inheritdoc />
    public override void Flush()
    {
    }

    /// <inheritdoc />
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc />
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc />
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>Notes that the stream has ended. What it holds stays.</summary>
    protected override void Dispose(bool disposing)
    {
        lock (_memory.Gate)
            _endTime ??= Stopwatch.GetTimestamp();
        base.Dispose(disposing);
    }

    private void Add(in NetTraceBlock block)
    {
        _inTail = _inTail || (block.Kind == NetTraceBlockKind.Metadata && NetTraceBlockContent.DefinesEventsOf(block.Content, RundownProvider));
        if (_inTail)
        {
            _tail.Add((block.Kind, block.Content.ToArray()));
            return;
        }

        switch (block.Kind)
        {
            case NetTraceBlockKind.Metadata:
                _metadata.Add(block.Content.ToArray());
                break;
            case NetTraceBlockKind.Stack:
                if (!_stacks.TryAppend(_generation, long.MinValue, block.Content))
                    LoseStacks(_generation);
                break;
            case NetTraceBlockKind.SequencePoint:
                if (!NetTraceBlockContent.TryReadNewestTime(block, out var time) || !_events.TryAppend(SequencePointTag, time, block.Content))
                    BeginHeadGeneration();
                _generation++;
                break;
            default:
                var events = NetTraceBlockContent.CountEvents(block.Content);
                if (!NetTraceBlockContent.TryReadNewestTime(block, out var newest) || !_events.TryAppend(events, newest, block.Content))
                    DroppedEvents += events;
                NewestTime = Math.Max(NewestTime, newest);
                break;
        }
    }

    /// <summary>The sequence point at which the kept events begin has moved on: stacks before it are not needed any more.</summary>
    private void BeginHeadGeneration()
    {
        _headGeneration++;
        if (_lostGeneration < _headGeneration)
            LostStackBlocks = 0;
        while (_stacks.Chunks > 0 && _stacks.HeadTag < _headGeneration)
            _stacks.DropHead();
    }

    private void LoseStacks(int generation)
    {
        if (generation < _headGeneration)
            return;
        _lostGeneration = generation;
        LostStackBlocks++;
    }

    private void Write(NetTraceBlockWriter writer, NetTraceBlockKind kind, in CircularChunk chunk, ref CircularLog.Reader reader)
    {
        writer.Begin(_parser.TypeOf(kind), chunk.Length);
        while (reader.TryReadPiece(out var piece))
            writer.Write(piece);
        writer.EndBlock();
    }

    private void Write(NetTraceBlockWriter writer, NetTraceBlockKind kind, byte[] content)
    {
        writer.Begin(_parser.TypeOf(kind), content.Length);
        writer.Write(content);
        writer.EndBlock();
    }
}
