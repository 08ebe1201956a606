namespace EtwSerializerProfiler.Options;

/// <summary>Where serialized data goes and comes from; values of <c>-stream</c>.</summary>
public enum StreamKind
{
    /// <summary>A memory stream that is reused, so that its growth is not charged to measured runs.</summary>
    Memory = 0,

    /// <summary>A temporary file.</summary>
    File = 1,
}
