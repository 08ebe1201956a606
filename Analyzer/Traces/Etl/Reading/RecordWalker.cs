using System.Runtime.CompilerServices;

namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>Finds the records of a buffer and checks that each one is completely inside it.</summary>
internal static class RecordWalker
{
    /// <summary>Reads the time of a record with a complete header; false when it has none.</summary>
    public static bool TryReadTime(ReadOnlySpan<byte> record, out long time)
    {
        time = 0;
        if (record.Length < 8 || (record[3] & EtlFormat.HeaderMarker) == 0)
            return false;
        var type = (EtlHeaderType)record[2];
        if (record.Length < EtlFormat.HeaderSizeOf(type))
            return false;
        if (EtlFormat.TimePlaceOf(type) is var place and > 0)
        {
            time = EtlFormat.Int64(record, place);
            return true;
        }

        if (type == EtlHeaderType.Message && MessageHeader.Read(record).Time is { } stamp)
        {
            time = stamp;
            return true;
        }

        return false;
    }

    /// <summary>Measures the record at the start of the span.</summary>
    /// <returns>Its size; 0 with the reason if no record begins here.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Measure(ReadOnlySpan<byte> rest, out int payloadAt, out string? error)
    {
        payloadAt = 0;
        error = null;
        if (rest.Length < 8)
        {
            error = "less than 8 bytes are left for a record";
            return 0;
        }

        var type = (EtlHeaderType)rest[2];
        var header = EtlFormat.HeaderSizeOf(type);
        if ((rest[3] & EtlFormat.HeaderMarker) == 0 || header == 0)
        {
            error = "no record at this offset (wrong marker or header type)";
            return 0;
        }

        var kind = EtlFormat.KindOf(type);
        int size = EtlFormat.UInt16(rest, kind is EtlHeaderKind.System or EtlHeaderKind.PerfInfo ? 4 : 0);
        if (size < header || size > rest.Length)
        {
            error = size < header ? "a record is smaller than its header" : "a record is larger than the rest of its buffer";
            return 0;
        }

        // Usually nothing follows the header: kernel events without counters, events without extended items.
        var isPlain = kind switch
        {
            EtlHeaderKind.PerfInfo or EtlHeaderKind.System => (rest[1] & 0x87) == 0,
            EtlHeaderKind.Event => (rest[4] & 1) == 0,
            EtlHeaderKind.Classic => header == 48,
            _ => false,
        };
        payloadAt = isPlain ? header : PayloadAt(rest[..size], type, kind, header);
        return size;
    }

    /// <summary>
    /// Offset of the payload, after the parts that may follow the header. Parts that do not fit into the record count as payload.
    /// </summary>
    private static int PayloadAt(ReadOnlySpan<byte> record, EtlHeaderType type, EtlHeaderKind kind, int header)
    {
        switch (kind)
        {
            case EtlHeaderKind.System or EtlHeaderKind.PerfInfo:
                int version = EtlFormat.UInt16(record, 0);
                var extra = ((version & 0x8000) != 0 ? 8 : 0) + 8 * ((version >> 8) & 7);
                return header + extra <= record.Length ? header + extra : header;
            case EtlHeaderKind.Event:
                return (EtlFormat.UInt16(record, 4) & 1) != 0 ? BehindItems(record, header) : header;
            case EtlHeaderKind.Classic when type is EtlHeaderType.Instance32 or EtlHeaderType.Instance64:
                return Math.Min(record.Length, 72);
            case EtlHeaderKind.Message:
                return MessageHeader.Read(record).Size;
            default:
                return header;
        }
    }

    /// <summary>Walks the chain of extended items.</summary>
    private static int BehindItems(ReadOnlySpan<byte> record, int at)
    {
        while (at + EtlExtendedItemEnumerator.HeaderSize <= record.Length)
        {
            int size = EtlFormat.UInt16(record, at);
            if (size < EtlExtendedItemEnumerator.HeaderSize || at + size > record.Length)
                break;
            var another = (EtlFormat.UInt16(record, at + 4) & 1) != 0;
            at += size;
            if (!another)
                break;
        }

        return at;
    }
}
