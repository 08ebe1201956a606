using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>
/// Common part of event blocks in all formats and metadata blocks in formats 4 and 5: u16 size of a header, u16 flags (1: headers of events
/// are compressed), i64 earliest and i64 latest time, then events.
/// </summary>
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

    /// <summary>Skips the padding to a multiple of four bytes after an event with an uncompressed header.</summary>
    public static void SkipPadding(ref PayloadReader reader, bool isCompressed, int payloadBytes)
    {
        if (!isCompressed)
            reader.Bytes(Math.Min(-payloadBytes & 3, reader.Left));
    }
}
