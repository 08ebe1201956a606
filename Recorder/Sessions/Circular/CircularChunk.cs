namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>A chunk of a log; always dropped as a whole.</summary>
/// <param name="Length">Bytes of its content.</param>
/// <param name="Tag">Meaning defined by the log's owner.</param>
/// <param name="Newest">Time of its newest content, in ticks of the trace's clock.</param>
internal readonly record struct CircularChunk(int Length, int Tag, long Newest)
{
    /// <summary>Bytes of the header before the content: i32 length, i32 tag, i64 newest time.</summary>
    public const int HeaderBytes = 16;
}
