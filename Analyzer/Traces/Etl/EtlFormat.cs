using System.Buffers.Binary;

namespace EtwSerializerProfiler.Etl;

/// <summary>Layout of the buffer header (WMI_BUFFER_HEADER) and of the events' headers; all little-endian.</summary>
internal static class EtlFormat
{
    /// <summary>Size of a buffer header. Events begin behind it and are aligned to 8 bytes counted from there.</summary>
    public const int BufferHeaderSize = 72;

    /// <summary>Where a buffer header keeps the valid bytes behind SavedOffset, CurrentOffset and so on.</summary>
    public const int SavedOffsetAt = 0x04, CurrentOffsetAt = 0x08, TimeStampAt = 0x10, SequenceAt = 0x18, ProcessorAt = 0x28, LoggerIdAt = 0x2A,
        StateAt = 0x2C, OffsetAt = 0x30, FlagsAt = 0x34, TypeAt = 0x36;

    /// <summary>Bits of the 16-bit processor index that are the index.</summary>
    public const int ProcessorIndexMask = 0x07FF;

    /// <summary>Largest buffer of a session: 16 MB, and its header. A header that says more lies.</summary>
    public const int MaxBufferSize = (16 << 20) + BufferHeaderSize;

    /// <summary>Ends the events of a buffer before its valid end.</summary>
    public const uint EndOfEvents = 0xFFFFFFFF;

    /// <summary>Bit of an event's byte 3 that every header has.</summary>
    public const byte HeaderMarker = 0x80;

    /// <summary>Type of the record with partition information, group 0.</summary>
    public const byte PartitionInformation = 80;

    /// <summary>Size of an event's header by its type, without what may follow it (counters, extended items, parts of a message).</summary>
    public static int HeaderSizeOf(EtlHeaderType type) => type switch
    {
        EtlHeaderType.System32 or EtlHeaderType.System64 => 32,
        EtlHeaderType.Compact32 or EtlHeaderType.Compact64 => 24,
        EtlHeaderType.PerfInfo32 or EtlHeaderType.PerfInfo64 => 16,
        EtlHeaderType.Full32 or EtlHeaderType.Full64 => 48,
        EtlHeaderType.Instance32 or EtlHeaderType.Instance64 => 56,
        EtlHeaderType.Event32 or EtlHeaderType.Event64 => 80,
        EtlHeaderType.Message or EtlHeaderType.Error => 8,
        _ => 0,
    };

    /// <summary>Whether the header is one of the kernel's: size at 4, type at 6, group at 7.</summary>
    public static bool IsKernel(EtlHeaderType type) => KindOf(type) is EtlHeaderKind.System or EtlHeaderKind.PerfInfo;

    /// <summary>What headers of a type have in common.</summary>
    public static EtlHeaderKind KindOf(EtlHeaderType type) => type switch
    {
        EtlHeaderType.System32 or EtlHeaderType.System64 or EtlHeaderType.Compact32 or EtlHeaderType.Compact64 => EtlHeaderKind.System,
        EtlHeaderType.PerfInfo32 or EtlHeaderType.PerfInfo64 => EtlHeaderKind.PerfInfo,
        EtlHeaderType.Full32 or EtlHeaderType.Full64 or EtlHeaderType.Instance32 or EtlHeaderType.Instance64 => EtlHeaderKind.Classic,
        EtlHeaderType.Event32 or EtlHeaderType.Event64 => EtlHeaderKind.Event,
        EtlHeaderType.Message => EtlHeaderKind.Message,
        EtlHeaderType.Error => EtlHeaderKind.Error,
        _ => EtlHeaderKind.None,
    };

    public static ushort UInt16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    public static int Int32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt32LittleEndian(bytes[at..]);

    public static uint UInt32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    public static long Int64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);

    public static ulong UInt64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);
}
