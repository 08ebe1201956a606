using System.Buffers.Binary;
using EtwSerializerProfiler.Etl;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Checks the manifests of EventSources before TraceEvent gets them. Its parser (4.0.0) registers itself again for each manifest that it
/// cannot parse completely, while it iterates over the list of registered parsers: it never returns and consumes all memory.
/// </summary>
/// <remarks>
/// An event (id 0xFFFE) holds a piece of a manifest: u8 format, u8 major, u8 minor version, u8 0x5B, u16 number of pieces, u16 number of
/// this piece, UTF-8 (ManifestEnvelope of EventSource). Pieces are joined as in TraceEvent, so events must come in dispatch order.
/// </remarks>
internal sealed class EventSourceManifests
{
    private const ushort EventId = 0xFFFE;
    private const ushort EventTask = 0xFFFE;
    private const byte EventOpcode = 0xFE;
    private const byte Magic = 0x5B;
    private const int EnvelopeBytes = 8;

    /// <summary>Pieces of incomplete manifests: each thread writes them in order.</summary>
    private readonly Dictionary<(Guid Provider, int Process, int Thread), byte[]?[]> _pieces = [];

    /// <summary>The last pieces of damaged manifests, which are dispatched in several passes.</summary>
    private readonly Dictionary<(Guid Provider, int Process, int Thread, long Time), DamagedManifest> _damaged = [];

    /// <summary>Manifests that were found damaged.</summary>
    public IReadOnlyCollection<DamagedManifest> Damaged => _damaged.Values;

    /// <summary>Whether an event completes a damaged manifest.</summary>
    public bool CompletesDamaged(in EtlEvent item)
    {
        if (
            item.IsClassic
            || item.Id != EventId
            || item.Opcode != EventOpcode
            || item.Task != EventTask
            || item.ProviderId == ClrTraceEventParser.ProviderGuid
        )
            return false;
        var source = (item.ProviderId, item.ProcessId, item.ThreadId);
        if (!Add(source, item.Payload))
        {
            _pieces.Remove(source);
            return false;
        }

        if (_pieces[source].Contains(null))
            return false;
        _pieces.Remove(source, out var pieces);
        var manifest = pieces!.SelectMany(piece => piece!).ToArray();
        if (ManifestCheck.Find(manifest, item.ProviderId) is not { } reason)
            return false;
        _damaged[(item.ProviderId, item.ProcessId, item.ThreadId, item.Timestamp)] = new DamagedManifest(
            item.ProviderId,
            item.ProcessId,
            reason
        );
        return true;
    }

    /// <summary>Adds a piece; false when the event is not a piece or not the next one.</summary>
    private bool Add((Guid Provider, int Process, int Thread) source, ReadOnlySpan<byte> payload)
    {
        if (payload.Length <= EnvelopeBytes || payload[3] != Magic)
            return false;
        var count = BinaryPrimitives.ReadUInt16LittleEndian(payload[4..]);
        var number = BinaryPrimitives.ReadUInt16LittleEndian(payload[6..]);
        if (number >= count)
            return false;
        if (!_pieces.TryGetValue(source, out var pieces))
        {
            if (number != 0)
                return false;
            _pieces.Add(source, pieces = new byte[count][]);
        }

        if (number >= pieces.Length || pieces[number] is not null)
            return false;
        pieces[number] = payload[EnvelopeBytes..].ToArray();
        return true;
    }
}

/// <summary>An unused manifest of an EventSource.</summary>
/// <param name="Provider">The EventSource.</param>
/// <param name="ProcessId">The process that wrote it.</param>
/// <param name="Reason">What is wrong with it.</param>
public sealed record DamagedManifest(Guid Provider, int ProcessId, string Reason);
