namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>A chunk of a log: dropped as a whole, never in part.</summary>
/// <param name="Length">Bytes of its content.</param>
/// <param name="Tag">What its owner wants to know of it.</param>
/// <param name="Newest">Nothing in it is newer, in ticks of the trace's clock.</param>
internal readonly record struct CircularChunk(int Length, int Tag, long Newest)
{
    /// <summary>Bytes that precede the content: i32 length, i32 tag, i64 newest time.</summary>
    public const int HeaderBytes = 16;
}
