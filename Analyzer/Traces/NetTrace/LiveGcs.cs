using System.Buffers.Binary;
using System.Diagnostics;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>
/// Counts the GCs in a .nettrace stream of this machine and adds up their pauses, while the stream is recorded. It decodes the headers of
/// events and nothing else, and allocates for new kinds of events only.
/// </summary>
public sealed class LiveGcs
{
    /// <summary>GCStart, GCRestartEEEnd, GCSuspendEEBegin.</summary>
    private const int Start = 1;
    private const int RestartEnd = 3;
    private const int SuspendBegin = 9;

    /// <summary>Where the Trace object's version is in the head: after the stream's header and three tags.</summary>
    private const int VersionAt = 35;

    private readonly NetTraceBlockParser _parser = new("the stream of the program's runtime");
    private readonly Dictionary<int, NetTraceEventType> _types = [];

    /// <summary>
    /// When a thread began to suspend the others for a GC, by thread. Its events are in order, those of several threads are not.
    /// </summary>
    private readonly Dictionary<long, long> _suspending = [];

    private long _pauseTicks;
    private int _count;
    private volatile bool _isUnreadable;

    /// <summary>Number of GCs so far; null when the stream cannot be read.</summary>
    public int? Count => _isUnreadable ? null : Volatile.Read(ref _count);

    /// <summary>
    /// Sum of the pauses so far: from GCSuspendEEBegin with the reason GC to GCRestartEEEnd of the same thread. Where two threads ask for a
    /// suspension at once, both count.
    /// </summary>
    public TimeSpan Pauses => Stopwatch.GetElapsedTime(0, Interlocked.Read(ref _pauseTicks));

    /// <summary>Adds bytes of the stream, in pieces of any size. Called by one thread.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_isUnreadable)
            return;
        try
        {
            _parser.Append(bytes);
            var version = 0;
            while (_parser.TryRead(out var block))
            {
                if (version == 0)
                    version = BinaryPrimitives.ReadInt32LittleEndian(_parser.Head[VersionAt..]);
                _isUnreadable |= block.Kind switch
                {
                    NetTraceBlockKind.Metadata => !MetadataBlock.TryRead(block.Content, version, _types),
                    NetTraceBlockKind.Event => !TryCount(new EventBlockReader(block.Content, version)),
                    _ => false,
                };
            }
        }
        catch (TraceFormatException)
        {
            _isUnreadable = true; // the recording keeps the bytes; only the live count ends
        }
    }

    private bool TryCount(EventBlockReader events)
    {
        NetTraceEventType? type = null;
        var metadata = 0;
        while (events.TryRead(out var header, out var payload))
        {
            if ((type is null || header.MetadataId != metadata) && !_types.TryGetValue(metadata = header.MetadataId, out type))
                return false;
            if (type.EventId is Start or RestartEnd or SuspendBegin && type.ProviderName == EventOrigins.RuntimeProvider)
                Add(type.EventId, header, payload);
        }

        return events.IsWhole;
    }

    private void Add(int eventId, in EventHeader header, ReadOnlySpan<byte> payload)
    {
        switch (eventId)
        {
            case Start:
                Volatile.Write(ref _count, _count + 1);
                break;
            case SuspendBegin when payload.Length >= sizeof(int):
                if ((SuspendReason)BinaryPrimitives.ReadInt32LittleEndian(payload) is SuspendReason.Gc or SuspendReason.GcPreparation)
                    _suspending[header.CapturingThread] = header.Time;
                else
                    _suspending.Remove(header.CapturingThread);
                break;
            case RestartEnd when _suspending.Remove(header.CapturingThread, out var began):
                Interlocked.Add(ref _pauseTicks, Math.Max(0, header.Time - began));
                break;
        }
    }
}
