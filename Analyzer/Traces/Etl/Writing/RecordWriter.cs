using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Etl.Writing;

/// <summary>Writes records of all header types into a span.</summary>
internal static class RecordWriter
{
    private const byte TraceMarker = 0xC0; // TRACE_HEADER_FLAG and TRACE_HEADER_EVENT_TRACE
    private const byte MessageMarker = 0x90;

    /// <summary>Size of a record in bytes.</summary>
    public static int SizeOf(EtlHeaderType type, int extendedBytes, int payloadBytes) => HeaderSizeOf(type) + extendedBytes + payloadBytes;

    /// <summary>Writes a record.</summary>
    /// <param name="fields">Header.</param>
    /// <param name="extended">Extended items of an event, counters of a kernel event (8 bytes each), else empty.</param>
    /// <param name="payload">Data.</param>
    /// <param name="record">Span of <see cref="SizeOf"/> bytes.</param>
    public static void Write(in EtlEventFields fields, ReadOnlySpan<byte> extended, ReadOnlySpan<byte> payload, Span<byte> record)
    {
        var kind = EtlFormat.KindOf(fields.HeaderType);
        var header = HeaderSizeOf(fields.HeaderType);
        record[..header].Clear();
        extended.CopyTo(record[header..]);
        payload.CopyTo(record[(header + extended.Length)..]);
        record[2] = (byte)fields.HeaderType;
        record[3] = kind == EtlHeaderKind.Message ? MessageMarker : TraceMarker;
        if (kind is EtlHeaderKind.System or EtlHeaderKind.PerfInfo)
        {
            UInt16(record, 0, fields.Version | (extended.Length / 8) << 8);
            UInt16(record, 4, record.Length);
            record[6] = fields.Opcode;
            record[7] = fields.Group;
        }
        else
        {
            UInt16(record, 0, record.Length);
        }

        switch (kind)
        {
            case EtlHeaderKind.PerfInfo:
                Int64(record, 8, fields.Timestamp);
                break;
            case EtlHeaderKind.System:
                Common(fields, record);
                if (header == 32)
                    Times(fields, record, 24);
                break;
            case EtlHeaderKind.Classic:
                Common(fields, record);
                record[4] = fields.Opcode;
                record[5] = fields.Level;
                UInt16(record, 6, fields.Version);
                MemoryMarshal.Write(record[24..], fields.ProviderId);
                Times(fields, record, 40);
                if (header > 48)
                {
                    UInt32(record, 48, fields.InstanceId);
                    UInt32(record, 52, fields.ParentInstanceId);
                }

                break;
            case EtlHeaderKind.Event:
                Common(fields, record);
                Event(fields, extended.Length > 0, record);
                break;
            case EtlHeaderKind.Message:
                Message(fields, record);
                break;
        }
    }

    /// <summary>Size including the parts that the writer adds to messages and instances.</summary>
    private static int HeaderSizeOf(EtlHeaderType type) =>
        type switch
        {
            EtlHeaderType.Message => 8 + 16 + 8 + 8,
            EtlHeaderType.Instance32 or EtlHeaderType.Instance64 => 72,
            _ => EtlFormat.HeaderSizeOf(type),
        };

    private static void Common(in EtlEventFields fields, Span<byte> record)
    {
        Int64(record, 16, fields.Timestamp);
        UInt32(record, 8, (uint)fields.ThreadId);
        UInt32(record, 12, (uint)fields.ProcessId);
    }

    private static void Times(in EtlEventFields fields, Span<byte> record, int at)
    {
        UInt32(record, at, fields.KernelTime);
        UInt32(record, at + 4, fields.UserTime);
    }

    private static void Event(in EtlEventFields fields, bool isExtended, Span<byte> record)
    {
        // EXTENDED_INFO, 32_BIT_HEADER, 64_BIT_HEADER
        var flags = fields.Flags & ~0x61 | (isExtended ? 1 : 0) | (fields.HeaderType == EtlHeaderType.Event32 ? 0x20 : 0x40);
        UInt16(record, 4, flags);
        UInt16(record, 6, fields.EventProperty);
        MemoryMarshal.Write(record[24..], fields.ProviderId);
        UInt16(record, 40, fields.Id);
        record[42] = fields.Version;
        record[43] = fields.Channel;
        record[44] = fields.Level;
        record[45] = fields.Opcode;
        UInt16(record, 46, fields.Task);
        BinaryPrimitives.WriteUInt64LittleEndian(record[48..], fields.Keywords);
        Times(fields, record, 56);
        MemoryMarshal.Write(record[64..], fields.ActivityId);
    }

    private static void Message(in EtlEventFields fields, Span<byte> record)
    {
        UInt16(record, 4, fields.Id);
        UInt16(record, 6, MessageHeader.HasGuid | MessageHeader.HasTime | MessageHeader.SystemInfo | MessageHeader.Pointer64);
        MemoryMarshal.Write(record[8..], fields.ProviderId);
        Int64(record, 24, fields.Timestamp);
        UInt32(record, 32, (uint)fields.ThreadId);
        UInt32(record, 36, (uint)fields.ProcessId);
    }

    private static void UInt16(Span<byte> record, int at, int value) =>
        BinaryPrimitives.WriteUInt16LittleEndian(record[at..], (ushort)value);

    private static void UInt32(Span<byte> record, int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(record[at..], value);

    private static void Int64(Span<byte> record, int at, long value) => BinaryPrimitives.WriteInt64LittleEndian(record[at..], value);
}
