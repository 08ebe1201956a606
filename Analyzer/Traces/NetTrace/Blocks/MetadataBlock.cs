using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Reads descriptions of event kinds from a metadata block.</summary>
/// <remarks>
/// Formats 4 and 5: records with headers of events, each i32 id, UTF-16 provider, i32 event id, UTF-16 name, i64 keywords, i32 version, i32
/// level, fields. Format 6: u16 size of a header, the header, then rows of u16 size, id, UTF-8 provider, event id, UTF-8 name, fields with
/// their sizes, and u16 bytes of pairs of kind and value.
/// </remarks>
internal static class MetadataBlock
{
    /// <summary>Reads a block.</summary>
    /// <param name="block">Its content.</param>
    /// <param name="version">Version of the format.</param>
    /// <param name="types">Receives the kinds by their ids.</param>
    /// <returns>False when the block is damaged; <paramref name="types"/> has the kinds before the damage.</returns>
    public static bool TryRead(ReadOnlySpan<byte> block, int version, Dictionary<int, NetTraceEventType> types)
    {
        var reader = new PayloadReader(block);
        return version >= 6 ? TryReadRows(ref reader, types) : TryReadRecords(new EventBlockReader(block, version), types);
    }

    private static bool TryReadRecords(EventBlockReader records, Dictionary<int, NetTraceEventType> types)
    {
        while (records.TryRead(out _, out var payload))
        {
            var record = new PayloadReader(payload);
            var (id, provider, eventId, name) = (record.Int32(), record.Text(), record.Int32(), record.Text());
            var (keywords, eventVersion, level) = (record.Int64(), record.Int32(), record.Int32());
            if (!record.Fits)
                return false;
            types[id] = new NetTraceEventType(provider, eventId, name, eventVersion)
            {
                Keywords = keywords,
                Level = level,
                Opcode = NetTraceMetadata.OpcodeAfter(record.Rest),
                Fields = EventFields.OfRecord(record.Rest),
            };
        }

        return records.IsWhole;
    }

    private static bool TryReadRows(ref PayloadReader reader, Dictionary<int, NetTraceEventType> types)
    {
        const byte Opcode = 1,
            Keywords = 3,
            MessageTemplate = 4,
            Description = 5,
            KeyValue = 6,
            ProviderGuid = 7,
            Level = 8,
            Version = 9;
        reader.Bytes(reader.UInt16());
        while (reader.Left > 0)
        {
            var row = new PayloadReader(reader.Bytes(reader.UInt16()));
            var (id, provider, eventId, name) = ((int)row.Variable(), row.Utf8Text(), (int)row.Variable(), row.Utf8Text());
            var described = row.Rest;
            var fields = row.UInt16();
            for (var i = 0; i < fields && row.Fits; i++)
                row.Bytes(row.UInt16());
            if (!row.Fits)
                return false;
            var type = new NetTraceEventType(provider, eventId, name, 0) { Fields = EventFields.OfRow(described[..^row.Left]) };
            var more = new PayloadReader(row.Bytes(row.UInt16()));
            if (!reader.Fits || !row.Fits)
                return false;
            while (more.Left > 0)
            {
                switch (more.Byte())
                {
                    case Opcode:
                        type = type with { Opcode = more.Byte() };
                        break;
                    case Level:
                        type = type with { Level = more.Byte() };
                        break;
                    case Keywords:
                        type = type with { Keywords = more.Int64() };
                        break;
                    case MessageTemplate or Description:
                        more.SkipUtf8Text();
                        break;
                    case KeyValue:
                        more.SkipUtf8Text();
                        more.SkipUtf8Text();
                        break;
                    case ProviderGuid:
                        type = type with { Provider = more.Guid() };
                        break;
                    case Version:
                        type = type with { Version = more.Byte() };
                        break;
                    default:
                        more = new PayloadReader(default); // of a later version; the rest is unreadable
                        break;
                }
            }

            types[id] = type;
        }

        return true;
    }
}
