using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>What can be said of a block's content (formats 4 and 5) without decoding its events.</summary>
/// <remarks>
/// Event and metadata blocks begin with u16 size of the header, u16 flags (1: compressed event headers), i64 earliest and i64 latest time; a sequence
/// point with its i64 time, i32 number of threads, and i64 thread and i32 sequence number of each.
/// </remarks>
public static class NetTraceBlockContent
{
    private const int HeaderBytes = 20;

    /// <summary>The time after which the block has no event: of an event block its latest, of a sequence point its own.</summary>
    /// <returns>False when the content is too short to have one.</returns>
    public static bool TryReadNewestTime(in NetTraceBlock block, out long time)
    {
        var at = block.Kind == NetTraceBlockKind.SequencePoint ? 0 : HeaderBytes - 8;
        time = block.Content.Length >= at + 8 ? BinaryPrimitives.ReadInt64LittleEndian(block.Content[at..]) : 0;
        return block.Content.Length >= at + 8;
    }

    /// <summary>Number of events in an event block, up to the first that does not fit into it.</summary>
    public static int CountEvents(ReadOnlySpan<byte> content)
    {
        var events = 0;
        if (!TryReadHeader(content, out var rest, out var compressed))
            return 0;
        var payload = 0;
        while (!rest.IsEmpty && NetTraceMetadata.TrySkipEventHeader(ref rest, compressed, ref payload))
        {
            events++;
            Skip(ref rest, compressed, payload);
        }

        return events;
    }

    /// <summary>Whether a metadata block describes an event of a provider.</summary>
    public static bool DefinesEventsOf(ReadOnlySpan<byte> content, string provider)
    {
        if (!TryReadHeader(content, out var rest, out var compressed))
            return false;
        var payload = 0;
        while (!rest.IsEmpty && NetTraceMetadata.TrySkipEventHeader(ref rest, compressed, ref payload))
        {
            // i32 id, then the provider's name in UTF-16 with its zero.
            if (payload >= 4 + (2 * provider.Length) + 2 && rest.Slice(4, 2 * provider.Length).SequenceEqual(MemoryMarshal.AsBytes(provider.AsSpan()))
                && rest[4 + (2 * provider.Length)] == 0 && rest[4 + (2 * provider.Length) + 1] == 0)
            {
                return true;
            }

            Skip(ref rest, compressed, payload);
        }

        return false;
    }

    private static bool TryReadHeader(ReadOnlySpan<byte> content, out ReadOnlySpan<byte> rest, out bool compressed)
    {
        rest = default;
        compressed = false;
        if (content.Length < HeaderBytes)
            return false;
        var header = BinaryPrimitives.ReadUInt16LittleEndian(content);
        if (header < HeaderBytes || header > content.Length)
            return false;
        compressed = (BinaryPrimitives.ReadUInt16LittleEndian(content[2..]) & 1) != 0;
        rest = content[header..];
        return true;
    }

    private static void Skip(ref ReadOnlySpan<byte> rest, bool compressed, int payload)
    {
        rest = rest[payload..];
        if (!compressed)
            rest = rest[Math.Min(-payload & 3, rest.Length)..];
    }
}
