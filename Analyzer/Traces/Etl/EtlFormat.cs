using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl;

/// <summary>Layout of the buffer header (WMI_BUFFER_HEADER) and of the events' headers; all little-endian.</summary>
internal static class EtlFormat
{
    /// <summary>Size of a buffer header. Events begin after it and are aligned to 8 bytes from there.</summary>
    public const int BufferHeaderSize = 72;

    /// <summary>Offsets of the fields SavedOffset, CurrentOffset and so on of a buffer header.</summary>
    public const int SavedOffsetAt = 0x04,
        CurrentOffsetAt = 0x08,
        TimeStampAt = 0x10,
        SequenceAt = 0x18,
        ProcessorAt = 0x28,
        LoggerIdAt = 0x2A,
        StateAt = 0x2C,
        OffsetAt = 0x30,
        FlagsAt = 0x34,
        TypeAt = 0x36;

    /// <summary>Bits of the 16-bit processor index that are the index.</summary>
    public const int ProcessorIndexMask = 0x07FF;

    /// <summary>Maximum size of a session's buffer: 16 MB plus its header. A header with a larger size is wrong.</summary>
    public const int MaxBufferSize = (16 << 20) + BufferHeaderSize;

    /// <summary>Ends the events of a buffer before its valid end.</summary>
    public const uint EndOfEvents = 0xFFFFFFFF;

    /// <summary>Bit of an event's byte 3 that is set in every header.</summary>
    public const byte HeaderMarker = 0x80;

    /// <summary>Type of the record with partition information, group 0.</summary>
    public const byte PartitionInformation = 80;

    /// <summary>Exclusive maximum of header types.</summary>
    private const int HeaderTypes = 0x16;

    /// <summary>Size of each header type; 0 for unused types.</summary>
    private static ReadOnlySpan<byte> HeaderSizes => [0, 32, 32, 24, 24, 0, 0, 0, 0, 0, 48, 56, 0, 8, 0, 8, 16, 16, 80, 80, 48, 56];

    /// <summary>Offset of the time in each header type; 0 without a fixed offset.</summary>
    private static ReadOnlySpan<byte> TimePlaces => [0, 16, 16, 16, 16, 0, 0, 0, 0, 0, 16, 16, 0, 0, 0, 0, 8, 8, 16, 16, 16, 16];

    private static ReadOnlySpan<EtlHeaderKind> Kinds =>
        [
            EtlHeaderKind.None,
            EtlHeaderKind.System,
            EtlHeaderKind.System,
            EtlHeaderKind.System,
            EtlHeaderKind.System,
            EtlHeaderKind.None,
            EtlHeaderKind.None,
            EtlHeaderKind.None,
            EtlHeaderKind.None,
            EtlHeaderKind.None,
            EtlHeaderKind.Classic,
            EtlHeaderKind.Classic,
            EtlHeaderKind.None,
            EtlHeaderKind.Error,
            EtlHeaderKind.None,
            EtlHeaderKind.Message,
            EtlHeaderKind.PerfInfo,
            EtlHeaderKind.PerfInfo,
            EtlHeaderKind.Event,
            EtlHeaderKind.Event,
            EtlHeaderKind.Classic,
            EtlHeaderKind.Classic,
        ];

    /// <summary>
    /// Size of an event's header by its type, without following parts (counters, extended items, parts of a message); 0 for unused types.
    /// </summary>
    public static int HeaderSizeOf(EtlHeaderType type) => (int)type < HeaderTypes ? HeaderSizes[(int)type] : 0;

    /// <summary>Offset of the time in a header; 0 when it has none, or not at a fixed offset.</summary>
    public static int TimePlaceOf(EtlHeaderType type) => (int)type < HeaderTypes ? TimePlaces[(int)type] : 0;

    /// <summary>Whether the header is a kernel header: size at 4, type at 6, group at 7.</summary>
    public static bool IsKernel(EtlHeaderType type) => KindOf(type) is EtlHeaderKind.System or EtlHeaderKind.PerfInfo;

    /// <summary>Family of a header type.</summary>
    public static EtlHeaderKind KindOf(EtlHeaderType type) => (int)type < HeaderTypes ? Kinds[(int)type] : EtlHeaderKind.None;

    public static ushort UInt16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    public static int Int32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt32LittleEndian(bytes[at..]);

    public static uint UInt32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    public static long Int64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);

    public static ulong UInt64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);
}
