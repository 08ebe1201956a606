using System.Buffers.Binary;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// A block of EVENT_RECORD structures (evntcons.h) in the format that TraceEvent's BPerfEventSource reads: the structure with its three
/// pointers (112 bytes), the user data (to a multiple of 8), the extended data items (16 bytes each), their data (each to a multiple of 8),
/// the whole to a multiple of 16. The consumer, which knows the block's address, sets the pointers.
/// </summary>
internal sealed class EventRecordBlock
{
    /// <summary>Bytes of an EVENT_RECORD of a 64-bit process.</summary>
    public const int RecordBytes = 112;

    /// <summary>Maximum bytes of a record: the lengths of an event and of its items have 16 bits.</summary>
    public const int MaxRecordBytes = 512 * 1024;

    private const int HeaderBytes = 80;
    private const int ItemBytes = 16;

    // EVENT_HEADER.Flags of evntcons.h.
    private const ushort MessageFlag = 0x08;
    private const ushort Pointer32Flag = 0x20;
    private const ushort Pointer64Flag = 0x40;
    private const ushort ClassicFlag = 0x100;
    private const ushort ProcessorIndexFlag = 0x200;

    /// <summary>The records, from 0 to <see cref="Length"/>.</summary>
    private readonly byte[] _bytes;

    public EventRecordBlock(int capacity) => _bytes = new byte[capacity + MaxRecordBytes];

    /// <summary>Bytes of records.</summary>
    public int Length { get; private set; }

    /// <summary>The records.</summary>
    public ReadOnlySpan<byte> Records => _bytes.AsSpan(0, Length);

    /// <summary>Size of the record at the start of a span.</summary>
    public static int SizeOf(ReadOnlySpan<byte> record)
    {
        var items = BinaryPrimitives.ReadUInt16LittleEndian(record[84..]);
        var description = (RecordBytes + BinaryPrimitives.ReadUInt16LittleEndian(record[86..]) + 7) & ~7;
        var size = description + (items * ItemBytes);
        for (var i = 0; i < items; i++)
            size += (BinaryPrimitives.ReadUInt16LittleEndian(record[(description + (i * ItemBytes) + 6)..]) + 7) & ~7;
        return (size + 15) & ~15;
    }

    /// <summary>Removes all records.</summary>
    public void Clear() => Length = 0;

    /// <summary>Appends an event. The caller ensures that <see cref="MaxRecordBytes"/> bytes are free.</summary>
    /// <param name="item">The event.</param>
    /// <param name="schemas">Assigns ids to self-describing events, which have none.</param>
    /// <param name="withPayload">False omits the event's data.</param>
    public void Add(in EtlEvent item, TraceLoggingSchemas schemas, bool withPayload)
    {
        var record = _bytes.AsSpan(Length);
        var payload = withPayload ? item.Payload : default;
        WriteHeader(item, payload.Length, record);
        record[82..RecordBytes].Clear();
        payload.CopyTo(record[RecordBytes..]);
        var items = 0;
        var size = Align(RecordBytes + payload.Length, 8, record);
        if (item.ExtendedData.Length > 0)
            size = AddItems(item, record, size, schemas, out items);
        else if (item.Counters.Length > 0)
            size = AddCounters(item.Counters, record, size, out items);
        BinaryPrimitives.WriteUInt16LittleEndian(record[84..], (ushort)items);
        BinaryPrimitives.WriteUInt16LittleEndian(record[86..], (ushort)payload.Length);
        Length += Align(size, 16, record);
    }

    /// <summary>Appends a classic event, identified by a GUID and an opcode.</summary>
    public void AddClassic(Guid provider, byte opcode, long time, ReadOnlySpan<byte> payload)
    {
        var record = _bytes.AsSpan(Length);
        record[..RecordBytes].Clear();
        BinaryPrimitives.WriteUInt16LittleEndian(record, (ushort)(HeaderBytes + payload.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(record[4..], ClassicFlag | Pointer64Flag);
        BinaryPrimitives.WriteInt64LittleEndian(record[16..], time);
        MemoryMarshal.Write(record[24..], in provider);
        record[45] = opcode;
        BinaryPrimitives.WriteUInt16LittleEndian(record[86..], (ushort)payload.Length);
        payload.CopyTo(record[RecordBytes..]);
        Length += Align(RecordBytes + payload.Length, 16, record);
    }

    /// <summary>The id of a self-describing event; null for others.</summary>
    public static ushort? Describe(in EtlEvent item, TraceLoggingSchemas schemas)
    {
        ReadOnlySpan<byte> schema = default,
            traits = default;
        foreach (var extended in item.ExtendedItems)
        {
            if (extended.Type == EtlExtendedType.EventSchemaTraceLogging)
                schema = extended.Data;
            else if (extended.Type == EtlExtendedType.ProviderTraits)
                traits = extended.Data;
        }

        return schema.IsEmpty ? null : schemas.IdOf(item.ProviderId, item.Opcode, schema, traits);
    }

    private static void WriteHeader(in EtlEvent item, int payloadBytes, Span<byte> record)
    {
        if (item.HeaderType is EtlHeaderType.Event32 or EtlHeaderType.Event64)
            item.RawHeader[..HeaderBytes].CopyTo(record); // as in the file, except what follows
        else
            WriteClassicHeader(item, record);
        BinaryPrimitives.WriteInt32LittleEndian(record, HeaderBytes + payloadBytes); // and HeaderType, which readers see as 0
        BinaryPrimitives.WriteUInt16LittleEndian(record[4..], FlagsOf(item));
        BinaryPrimitives.WriteInt64LittleEndian(record[16..], item.Timestamp);
        BinaryPrimitives.WriteUInt16LittleEndian(record[80..], (ushort)item.Processor);
    }

    private static void WriteClassicHeader(in EtlEvent item, Span<byte> record)
    {
        record[..HeaderBytes].Clear();
        BinaryPrimitives.WriteInt32LittleEndian(record[8..], item.ThreadId);
        BinaryPrimitives.WriteInt32LittleEndian(record[12..], item.ProcessId);
        var provider = item.ProviderId;
        MemoryMarshal.Write(record[24..], in provider);
        BinaryPrimitives.WriteUInt16LittleEndian(record[40..], item.Id);
        record[42] = item.Version;
        record[44] = item.Level;
        record[45] = item.Opcode;
        BinaryPrimitives.WriteUInt64LittleEndian(record[56..], item.ProcessorTime);
    }

    /// <summary>EVENT_HEADER.Flags: the event's flags and those that ETW's reader adds.</summary>
    private static ushort FlagsOf(in EtlEvent item)
    {
        var flags = item.HeaderType switch
        {
            EtlHeaderType.Event32 or EtlHeaderType.Event64 => item.Flags,
            EtlHeaderType.Message => MessageFlag,
            _ => ClassicFlag,
        };
        return (ushort)(
            flags | (item.PointerSize == 4 ? Pointer32Flag : Pointer64Flag) | (item.Processor > byte.MaxValue ? ProcessorIndexFlag : 0)
        );
    }

    private static int AddCounters(ReadOnlySpan<byte> counters, Span<byte> record, int at, out int items)
    {
        items = 1;
        record.Slice(at, ItemBytes).Clear();
        BinaryPrimitives.WriteUInt16LittleEndian(record[(at + 2)..], (ushort)EtlExtendedType.PmcCounters);
        BinaryPrimitives.WriteUInt16LittleEndian(record[(at + 6)..], (ushort)counters.Length);
        counters.CopyTo(record[(at + ItemBytes)..]);
        return at + ItemBytes + counters.Length;
    }

    private static int AddItems(in EtlEvent item, Span<byte> record, int at, TraceLoggingSchemas schemas, out int items)
    {
        // All descriptions precede all data: count them first, then write them.
        items = 0;
        foreach (var _ in item.ExtendedItems)
            items++;
        var description = at;
        var data = at + (items * ItemBytes);
        var describesItself = false;
        foreach (var extended in item.ExtendedItems)
        {
            record.Slice(description, ItemBytes).Clear();
            BinaryPrimitives.WriteUInt16LittleEndian(record[(description + 2)..], (ushort)extended.Type);
            BinaryPrimitives.WriteUInt16LittleEndian(record[(description + 6)..], (ushort)extended.Data.Length);
            description += ItemBytes;
            extended.Data.CopyTo(record[data..]);
            data = Align(data + extended.Data.Length, 8, record);
            describesItself |= extended.Type == EtlExtendedType.EventSchemaTraceLogging;
        }

        if (describesItself && Describe(item, schemas) is { } id)
            BinaryPrimitives.WriteUInt16LittleEndian(record[40..], id);
        return data;
    }

    /// <summary>Rounds up and clears the padding.</summary>
    private static int Align(int size, int alignment, Span<byte> record)
    {
        var aligned = (size + alignment - 1) & ~(alignment - 1);
        record[size..aligned].Clear();
        return aligned;
    }
}
