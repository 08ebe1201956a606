using System.Diagnostics;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>
/// Keeps the newest part of an EventPipe stream in memory: it is written to like a file, and writes a .nettrace file that begins at the
/// cut.
/// </summary>
/// <remarks>
/// The stream can be cut because an event block can be decoded without the others. Metadata ids are valid until the end of the stream, so
/// all metadata blocks are kept. Stack ids are valid until the next sequence point, so stack blocks are kept as long as an event block
/// before that point. Sequence numbers count the events of a thread. A reader accepts the first number it sees, so it does not take events
/// before the cut for lost, provided that blocks are dropped in order. The runtime sets a sequence point for every 10 MB of buffers that it
/// gives to threads: at 10 flushes per second and at least 100 KB per buffer, every 3.4 s here. Cutting only there would waste that much
/// time. The rundown at the end of a session is kept outside the memory: it has the names of methods that were compiled long before the
/// cut.
/// </remarks>
internal sealed class CircularNetTrace : Stream, ICircularOwner
{
    private const string RundownProvider = "Microsoft-Windows-DotNETRuntimeRundown";

    /// <summary>Tag of a sequence point. The tag of an event block is its number of events, that of a stack block its generation.</summary>
    private const int SequencePointTag = -1;

    private readonly CircularMemory _memory;
    private readonly NetTraceBlockParser _parser;

    /// <summary>Event blocks and sequence points.</summary>
    private readonly CircularLog _events;

    private readonly CircularLog _stacks;

    private readonly List<byte[]> _metadata = [];

    /// <summary>Blocks since the rundown began, in order.</summary>
    private readonly List<(NetTraceBlockKind Kind, byte[] Content)> _tail = [];

    private bool _inTail;

    /// <summary>
    /// Number of sequence points seen, and number before the first chunk of <see cref="_events"/>: stacks of older generations are not
    /// needed.
    /// </summary>
    private int _generation;
    private int _headGeneration;

    /// <summary>Generation of the stack block that was lost last.</summary>
    private int _lostGeneration = -1;

    /// <summary>When the stream ended; null before.</summary>
    private long? _endTime;

    /// <summary>Creates the trace.</summary>
    /// <param name="memory">Memory of the recording.</param>
    /// <param name="name">Name of the output file.</param>
    public CircularNetTrace(CircularMemory memory, string name)
    {
        _memory = memory;
        Name = name;
        _parser = new NetTraceBlockParser($"the stream of {name}");
        _events = memory.AddLog(this, timed: true, contiguous: false);
        _stacks = memory.AddLog(this, timed: false, contiguous: false);
    }

    /// <summary>Name of the output file.</summary>
    public string Name { get; }

    /// <summary>Number of events in the dropped blocks.</summary>
    public long DroppedEvents { get; private set; }

    /// <summary>Bytes of the dropped blocks.</summary>
    public long DroppedBytes => _events.DroppedBytes + _stacks.DroppedBytes;

    /// <summary>
    /// Number of dropped stack blocks that kept events may need: the stacks between two sequence points did not fit into half of
    /// the memory.
    /// </summary>
    public int LostStackBlocks { get; private set; }

    /// <summary>Whether there is something to write: the header has arrived, and the process did not end before the cut.</summary>
    public bool HasContent => _parser.Head.Length > 0 && !(_endTime <= _memory.CutTime);

    /// <summary>Time of the latest event; <see cref="long.MinValue"/> before the first.</summary>
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
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Accepts bytes of the stream in pieces of any size.</summary>
    /// <exception cref="IOException">The stream is damaged or cannot be cut.</exception>
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
                throw new ProblemException(
                    exception.Problem with
                    {
                        What = $"{exception.Problem.What}; a circular recording cannot cut it",
                        Fix = "record with --mode file",
                    },
                    exception
                );
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

    /// <summary>Writes the kept part as a stream of its own. The caller holds the memory's lock.</summary>
    /// <returns>Bytes written.</returns>
    /// <exception cref="IOException">The output cannot be written.</exception>
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

    /// <summary>Returns the logs to the memory; for a trace without content.</summary>
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
    public override void Flush() { }

    /// <inheritdoc />
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc />
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc />
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>Marks the stream as ended. Its content stays.</summary>
    protected override void Dispose(bool disposing)
    {
        lock (_memory.Gate)
            _endTime ??= Stopwatch.GetTimestamp();
        base.Dispose(disposing);
    }

    private void Add(in NetTraceBlock block)
    {
        _inTail =
            _inTail || (block.Kind == NetTraceBlockKind.Metadata && NetTraceBlockContent.DefinesEventsOf(block.Content, RundownProvider));
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
                if (
                    !NetTraceBlockContent.TryReadNewestTime(block, out var time)
                    || !_events.TryAppend(SequencePointTag, time, block.Content)
                )
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

    /// <summary>Drops stacks before the sequence point at which the kept events now begin.</summary>
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
