using System.Buffers.Binary;
using EtwSerializerProfiler.Etl;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Feeds the events of an .etl file to TraceEvent on every system. TraceEvent reads .etl through Windows' OpenTrace; its BPerfEventSource
/// reads blocks of EVENT_RECORDs on any system and takes a function that decompresses a block. This class is that function.
/// </summary>
/// <remarks>
/// <para>
/// The file that BPerfEventSource opens (<see cref="BackingFile"/>) holds zeros: blocks of no compressed bytes. The header of a block (two
/// 32-bit sizes) is filled in before it is read, in the buffer passed to the source; so 8 bytes of the file represent a block of any size.
/// Before block n is returned, the size of block n + 1 must be known: one block is always prepared ahead, on another thread, while
/// TraceEvent dispatches the previous one.
/// </para>
/// <para>
/// The constructor of the source reads facts about the trace (processors, clock, lost events) from the first block, from a record of a
/// special format. Each call of Process reads the file again from its first block.
/// </para>
/// <para>
/// TraceEvent decodes self-describing events (TraceLogging) by Windows' TDH. Their descriptions, collected beforehand, are dispatched in
/// the format of merged traces, by calls of Process that end before anyone has subscribed to events.
/// </para>
/// <para>
/// The last event of a damaged manifest is dispatched without its payload, so that TraceEvent discards the earlier pieces
/// (<see cref="EventSourceManifests"/>).
/// </para>
/// </remarks>
internal sealed class EventRecordFeed
{
    /// <summary>Approximate bytes of records in a block: small enough to stay in the processor's cache between the two threads.</summary>
    private const int DefaultBlockBytes = 512 * 1024;

    /// <summary>Buffer size that BPerfEventSource requires: it reads 1 MiB of its file at once.</summary>
    private const int SourceBufferBytes = 2 * 1024 * 1024;

    private readonly EtlReader _reader;
    private readonly EtlEventFilter? _filter;
    private readonly Func<EtlReader>? _openDescriptions;
    private readonly TraceLoggingSchemas _schemas;
    private readonly EventSourceManifests _manifests = new();
    private readonly BackingFile _file = BackingFile.Create();
    private readonly int _blockBytes;

    /// <summary>The block that TraceEvent gets next.</summary>
    private EventRecordBlock _ready;

    /// <summary>The block that is being prepared.</summary>
    private EventRecordBlock _making;

    /// <summary>The task that prepares <see cref="_making"/>; null at the end.</summary>
    private Task? _next;

    /// <summary>The buffer that the source dispatches from: its content, and the number of dispatched events.</summary>
    private readonly byte[] _output = new byte[SourceBufferBytes];

    private int _outputLength;
    private int _dispatched;

    /// <summary>Start of the remainder of a block after an undecodable event.</summary>
    private int _rest;

    /// <summary>Whether the source gets that remainder next.</summary>
    private bool _resumes;

    /// <summary>Stops the processing of the source.</summary>
    private Action _stop = () => { };

    /// <summary>Creates a feed.</summary>
    /// <param name="reader">Reads the trace; the feed disposes it.</param>
    /// <param name="schemas">Ids of self-describing events.</param>
    /// <param name="filter">Which events to dispatch; null for all.</param>
    /// <param name="openDescriptions">
    /// Opens the trace, or its buffers with <see cref="Descriptions"/>, which are dispatched before the first event; null for none.
    /// </param>
    /// <param name="blockBytes">Approximate bytes of records in a block.</param>
    public EventRecordFeed(
        EtlReader reader,
        TraceLoggingSchemas schemas,
        EtlEventFilter? filter,
        Func<EtlReader>? openDescriptions,
        int blockBytes = DefaultBlockBytes
    )
    {
        _blockBytes = blockBytes;
        _ready = new EventRecordBlock(blockBytes);
        _making = new EventRecordBlock(blockBytes);
        _schemas = schemas;
        _filter = filter;
        _openDescriptions = openDescriptions;
        _reader = reader;
    }

    /// <summary>Number of events that TraceEvent's parsers could not decode, including descriptions of events.</summary>
    public long Undecodable { get; private set; }

    /// <summary>Manifests withheld from TraceEvent's parsers, which would not terminate on them.</summary>
    public IReadOnlyCollection<DamagedManifest> DamagedManifests => _manifests.Damaged;

    /// <summary>
    /// Processes all events. TraceEvent's parsers throw on damaged payloads, which ends the processing of a source; this method continues
    /// after such an event.
    /// </summary>
    /// <param name="source">The source from <see cref="CreateSource"/>.</param>
    /// <param name="onUndecodable">Called for each undecodable event, in order.</param>
    public void ProcessAll(TraceEventDispatcher source, Action? onUndecodable = null)
    {
        source.AllEvents += _ => _dispatched++;
        while (true)
        {
            try
            {
                source.Process();
                return;
            }
            catch (Exception exception) when (IsOfPayload(exception))
            {
                Undecodable++;
                onUndecodable?.Invoke();
                SkipBroken();
            }
        }
    }

    /// <summary>Creates the source; one call of its Process dispatches all events.</summary>
    public TraceEventDispatcher CreateSource()
    {
        TraceFacts.Write(_reader.Header, _ready);
        _file.SetFirstBlock(_ready.Length, blocks: 1);
        var source = new BPerfEventSource(
            _file.Path,
            null,
            _output,
            new byte[SourceBufferBytes],
            skipReadingUnreachableEvents: false,
            Decompress
        );
        _stop = source.StopProcessing;
        DispatchDescriptions(source);
        Make();
        Swap();
        _file.SetFirstBlock(_ready.Length, BackingFile.AllBlocks);
        StartNext();
        return source;
    }

    /// <summary>Registers self-describing events and described events with TraceEvent.</summary>
    private void DispatchDescriptions(BPerfEventSource source)
    {
        _ = source.Dynamic; // subscribers to descriptions
        foreach (var (provider, schemas) in _schemas.All)
        {
            foreach (var schema in schemas)
            {
                var description = TraceEventInfo.Write(provider, schema);
                if (description.Length > ushort.MaxValue)
                    continue;
                _ready.Clear();
                _ready.AddClassic(KernelTraceControl.MetaData, KernelTraceControl.EventInfo, _reader.Header.StartTicks, description);
                DispatchAlone(source);
            }
        }

        if (_openDescriptions is null)
            return;
        using var reader = _openDescriptions();
        while (Fill(_ready, reader, Descriptions.Includes, blockBytes: 1))
            DispatchAlone(source);
    }

    /// <summary>Dispatches the prepared block to the current subscribers.</summary>
    private void DispatchAlone(BPerfEventSource source)
    {
        _file.SetFirstBlock(_ready.Length, blocks: 1);
        try
        {
            source.Process();
        }
        catch (Exception exception) when (IsOfPayload(exception))
        {
            Undecodable++;
        }
    }

    /// <summary>
    /// Whether an exception comes from TraceEvent's parsers, which throw many types on damaged payloads, and not from a file or the
    /// machine.
    /// </summary>
    private static bool IsOfPayload(Exception exception) =>
        exception is not (IOException or EtlFormatException or OutOfMemoryException or UnauthorizedAccessException);

    /// <summary>Continues after the event that was being dispatched.</summary>
    private void SkipBroken()
    {
        var at = _rest;
        for (var i = 0; i <= _dispatched && at < _outputLength; i++)
            at += EventRecordBlock.SizeOf(_output.AsSpan(at));

        // The remainder becomes the first block of another round; an empty one leads to the next block.
        _rest = Math.Min(at, _outputLength);
        _resumes = true;
        _file.SetFirstBlock(_outputLength - _rest, BackingFile.AllBlocks);
    }

    /// <summary>The "decompression" of a block: called by the source with its header already read.</summary>
    private int Decompress(byte[] input, int inputOffset, int inputLength, byte[] output, int outputLength)
    {
        _dispatched = 0;
        if (_resumes)
            return Resume(input, inputOffset);
        var length = _ready.Length;
        _ready.Records.CopyTo(output);
        _outputLength = length;
        if (_next is null)
        {
            // The source's constructor, a description, or the end.
            if (length == 0)
                End();
            _ready.Clear();
            return length;
        }

        _next.GetAwaiter().GetResult();
        Swap();
        Announce(input, inputOffset);
        StartNext();
        return length;
    }

    /// <summary>Returns the remainder of the source's block.</summary>
    private int Resume(byte[] input, int inputOffset)
    {
        _resumes = false;
        _outputLength -= _rest;
        _output.AsSpan(_rest, _outputLength).CopyTo(_output);
        _rest = 0;
        Announce(input, inputOffset);
        return _outputLength;
    }

    /// <summary>Writes the header of the next block.</summary>
    private void Announce(byte[] input, int inputOffset)
    {
        BinaryPrimitives.WriteInt32LittleEndian(input.AsSpan(inputOffset), 0);
        BinaryPrimitives.WriteInt32LittleEndian(input.AsSpan(inputOffset + sizeof(int)), _ready.Length);
    }

    private void StartNext() => _next = _ready.Length > 0 ? Task.Run(Make) : null;

    private void Swap() => (_ready, _making) = (_making, _ready);

    /// <summary>Prepares the next block; an empty one marks the end.</summary>
    private void Make() => Fill(_making, _reader, _filter, _blockBytes);

    /// <summary>Fills a block with events.</summary>
    /// <returns>False when there are no more.</returns>
    private bool Fill(EventRecordBlock block, EtlReader reader, EtlEventFilter? filter, int blockBytes)
    {
        block.Clear();
        while (block.Length < blockBytes && reader.TryRead(out var item))
        {
            if (!TraceFacts.IsCutHeader(item) && (filter is null || filter(item)))
                block.Add(item, _schemas, withPayload: !_manifests.CompletesDamaged(item));
        }

        return block.Length > 0;
    }

    private void End()
    {
        _stop();
        _reader.Dispose();
        _file.Dispose();
    }
}
