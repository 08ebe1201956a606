using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Facts on a block's content (formats 4 and 5) without decoding its events.</summary>
/// <remarks>
/// Event and metadata blocks begin with u16 size of the header, u16 flags (1: compressed event headers), i64 earliest and i64 latest time;
/// a sequence point with its i64 time, i32 number of threads, and i64 thread and i32 sequence number of each.
/// </remarks>
public static class NetTraceBlockContent
{
    /// <summary>Last version with this block layout.</summary>
    private const int MaxVersion = 5;

    /// <summary>Time after which the block has no event: an event block's latest time, a sequence point's own time.</summary>
    /// <returns>False when the content is too short.</returns>
    public static bool TryReadNewestTime(in NetTraceBlock block, out long time)
    {
        var at = block.Kind == NetTraceBlockKind.SequencePoint ? 0 : EventBlock.HeadBytes - 8;
        time = block.Content.Length >= at + 8 ? BinaryPrimitives.ReadInt64LittleEndian(block.Content[at..]) : 0;
        return block.Content.Length >= at + 8;
    }

    /// <summary>Number of events in an event block, up to the first that exceeds it.</summary>
    public static int CountEvents(ReadOnlySpan<byte> content)
    {
        var events = 0;
        for (var reader = new EventBlockReader(content, MaxVersion); reader.TryRead(out _, out _);)
            events++;
        return events;
    }

    /// <summary>Whether a metadata block describes an event of a provider.</summary>
    public static bool DefinesEventsOf(ReadOnlySpan<byte> content, string provider)
    {
        var types = new Dictionary<int, NetTraceEventType>();
        MetadataBlock.TryRead(content, MaxVersion, types);
        return types.Values.Any(type => type.ProviderName == provider);
    }
}
