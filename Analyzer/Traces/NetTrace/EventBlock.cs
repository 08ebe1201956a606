using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>What event blocks of all formats and metadata blocks of formats 4 and 5 have in common: u16 size of a header, u16 flags (1: headers of events are compressed), i64 earliest and i64 latest time, then events.</summary>
internal static class EventBlock
{
    /// <summary>Size of the block's header.</summary>
    public const int HeadBytes = 20;

    /// <summary>The flag of compressed event headers.</summary>
    public const short IsCompressed = 1;

    /// <summary>Reads the block's header.</summary>
    /// <returns>False when it does not fit into the block.</returns>
    public static bool TryReadHead(ref PayloadReader reader, out bool isCompressed)
    {
        var bytes = reader.UInt16();
        isCompressed = (reader.UInt16() & IsCompressed) != 0;
        reader.Bytes(bytes - 2 * sizeof(ushort));
        return reader.Fits && bytes >= HeadBytes;
    }

    /// <summary>After an event whose header is not compressed, bytes up to a multiple of four.</summary>
    public static void SkipPadding(ref PayloadReader reader, bool isCompressed, int payloadBytes)
    {
        if (!isCompressed)
            reader.Bytes(Math.Min(-payloadBytes & 3, reader.Left));
    }
}
