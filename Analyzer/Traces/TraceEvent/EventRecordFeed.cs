using System.Buffers.Binary;
using EtwSerializerProfiler.Etl;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Feeds TraceEvent with the events of an .etl file on every system. TraceEvent reads .etl through Windows' OpenTrace; its BPerfEventSource reads blocks
/// of EVENT_RECORDs anywhere, and lets its user supply the function that decompresses a block. This class is that function.
/// </summary>
/// <remarks>
/// <para>
/// The file that BPerfEventSource opens (<see cref="BackingFile"/>) holds zeros: blocks of no compressed bytes. The header of a block (two 32-bit sizes) is
/// filled in before it is read, in the buffer that was handed to the source; so 8 bytes of the file stand for a block of any size. Before block n is
/// returned the size of block n + 1 must be known: one block is always made ahead, on another thread, while TraceEvent dispatches the one before it.
/// </para>
/// <para>
/// The constructor of the source reads the first block for the facts about the trace (processors, clock, lost events), from a record of a form of its
/// own. Each call of Process reads the file anew from its first block.
/// </para>
/// <para>
/// Events that describe themselves (TraceLogging) are decoded by Windows' TDH in TraceEvent. Their descriptions, collected beforehand, are dispatched in the
/// form in which merged traces carry descriptions, by calls of Process that are over before anyone has subscribed to anything.
/// </para>
/// <para>
/// The last event of a damaged manifest comes without its payload: TraceEvent then forgets the pieces before it (<see cref="EventSourceManifests"/>).
/// </para>
/// </remarks>
internal sealed class EventRecordFeed
{
    /// <summary>Bytes of records in a block, about: they stay in the processor's cache on their way from one thread to the other.</summary>
    private const int DefaultBlockBytes = 512 * 1024;

    /// <summary>Size of the buffers that BPerfEventSource wants: it reads 1 MiB of its file at once.</summary>
    private const int SourceBufferBytes = 2 * 1024 * 1024;

    private readonly Func<EtlReader> _open;
    private readonly EtlReader _reader;
    private readonly EtlEventFilter? _filter;
    private readonly EtlEventFilter? _descriptions;
    private readonly TraceLoggingSchemas _schemas;
    private readonly EventSourceManifests _manifests = new();
    private readonly BackingFile _file = BackingFile.Create();
    private readonly int _blockBytes;

    /// <summary>The block that is asked for next, and the one that is made meanwhile.</summary>
    private EventRecordBlock _ready;

    private EventRecordBlock _making;

    /// <summary>The making of <see cref="_making"/>; null when there is nothing more to make.</summary>
    private Task? _next;

    /// <summary>The buffer that the source dispatches from: what it holds, and how many events of it were dispatched.</summary>
    private readonly byte[] _output = new byte[SourceBufferBytes];

    private int _outputLength;
    private int _dispatched;

    /// <summary>Where the rest begins of a block in which an event could not be decoded.</summary>
    private int _rest;

    /// <summary>Whether that rest is what the source gets next.</summary>
    private bool _resumes;

    /// <summary>Ends the processing of the source that is fed.</summary>
    private Action _stop = () => { };

    /// <summary>Creates a feed.</summary>
    /// <param name="open">Opens the trace; readers are disposed of by the feed.</param>
    /// <param name="schemas">Ids of events that describe themselves.</param>
    /// <param name="filter">Which events to dispatch; null for all.</param>
    /// <param name="descriptions">Which events describe others and are to be known before the first event; null for none.</param>
    /// <param name="blockBytes">Bytes of records in a block, about.</param>
    public EventRecordFeed(Func<EtlReader> open, TraceLoggingSchemas schemas, EtlEventFilter? filter, EtlEventFilter? descriptions, int blockBytes = DefaultBlockBytes)
    {
        _blockBytes = blockBytes;
        _ready = new EventRecordBlock(blockBytes);
        _making = new EventRecordBlock(blockBytes);
        _open = open;
        _schemas = schemas;
        _filter = filter;
        _descriptions = descriptions;
        _reader = open();
    }

    /// <summary>Events that TraceEvent's parsers could not decode, descriptions of events among them.</summary>
    public long Undecodable { get; private set; }

    /// <summary>Manifests that TraceEvent's parsers did not get, because they would not come to an end.</summary>
    public IReadOnlyCollection<DamagedManifest> DamagedManifests => _manifests.Damaged;

    /// <summary>
    /// Processes all events. TraceEvent's parsers throw at damaged payloads, which ends the processing of a source: here it goes on behind such an event.
    /// </summary>
    /// <param name="source">What <see cref="CreateSource"/> made.</param>
    /// <param name="onUndecodable">Called for each event that could not be decoded, in its turn.</param>
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

    /// <summary>Makes the source; one call of its Process gives all events.</summary>
    public TraceEventDispatcher CreateSource()
    {
        TraceFacts.Write(_reader.Header, _ready);
        _file.SetFirstBlock(_ready.Length, blocks: 1);
        var source = new BPerfEventSource(_file.Path, null, _output, new byte[SourceBufferBytes], skipReadingUnreachableEvents: false, Decompress);
        _stop = source.StopProcessing;
        DispatchDescriptions(source);
        Make();
        Swap();
        _file.SetFirstBlock(_ready.Length, BackingFile.AllBlocks);
        StartNext();
        return source;
    }

    /// <summary>Lets TraceEvent know the events that describe themselves, and those that others describe.</summary>
    private void DispatchDescriptions(BPerfEventSource source)
    {
        _ = source.Dynamic; // who listens to descriptions
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

        if (_descriptions is null)
            return;
        using var reader = _open();
        while (Fill(_ready, reader, _descriptions, blockBytes: 1))
            DispatchAlone(source);
    }

    /// <summary>Dispatches the block that is ready, to whom has subscribed so far.</summary>
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

    /// <summary>Whether an error is one of TraceEvent's parsers, which throw whatever a damaged payload makes them throw; not of a file or of the machine.</summary>
    private static bool IsOfPayload(Exception exception) => exception is not (IOException or EtlFormatException or OutOfMemoryException or UnauthorizedAccessException);

    /// <summary>Goes on behind the event that was being dispatched.</summary>
    private void SkipBroken()
    {
        var at = _rest;
        for (var i = 0; i <= _dispatched && at < _outputLength; i++)
            at += EventRecordBlock.SizeOf(_output.AsSpan(at));

        // The rest of the block is the first one of another round; an empty one leads on to the next.
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

    /// <summary>Gives what is left of the block that the source has.</summary>
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

    /// <summary>Makes the block after the one that is ready; an empty one is the end.</summary>
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
