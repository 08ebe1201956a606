namespace EtwSerializerProfiler.Etl;

/// <summary>Options for reading a trace.</summary>
public sealed record EtlReadOptions
{
    /// <summary>Start of the range, since the trace's start. The records of the header buffer are always delivered.</summary>
    public TimeSpan? From { get; init; }

    /// <summary>End of the range, since the trace's start.</summary>
    public TimeSpan? To { get; init; }

    /// <summary>Buffers to read, from <see cref="EtlReader.AddBufferTo"/>; header buffers are always read. Null for all.</summary>
    public EtlBuffers? Buffers { get; init; }

    /// <summary>
    /// Number of threads that decode buffers ahead; 0 decodes on the reading thread, null uses the number of processors minus 1, at most 4.
    /// </summary>
    public int? DecodeThreads { get; init; }

    /// <summary>Maximum total size of the .etl files extracted from one archive, in bytes. They are extracted to temporary files.</summary>
    public long MaxExtractedBytes { get; init; } = 32L << 30;

    /// <summary>
    /// Receives reading progress on the reading thread: when a reader opens, after each buffer, and at its end. Null for none.
    /// </summary>
    public IProgress<EtlProgress>? Progress { get; init; }

    /// <summary>Free bytes of a folder.</summary>
    internal Func<string, long> FreeBytes { get; init; } = folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>
    /// Whether to also deliver the session's internal records, which Windows' ProcessTrace does not deliver (group 0, type 80: partition
    /// information in the header buffer).
    /// </summary>
    public bool SessionRecords { get; init; }
}

/// <summary>Progress of a reader.</summary>
/// <param name="Name">Names of the paths being read.</param>
/// <param name="Done">
/// Bytes of the buffers read so far, without those outside <see cref="EtlReadOptions.From"/> and <see cref="EtlReadOptions.To"/>.
/// </param>
/// <param name="Bytes">Bytes of all buffers that will be read.</param>
/// <param name="IsEnd">Whether the reader ends, at the end of the trace or earlier.</param>
public readonly record struct EtlProgress(string Name, long Done, long Bytes, bool IsEnd);
