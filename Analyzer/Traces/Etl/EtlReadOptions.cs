namespace EtwSerializerProfiler.Etl;

/// <summary>How a trace is read.</summary>
public sealed record EtlReadOptions
{
    /// <summary>Only events from this time on, since the trace's start. The records of the header buffer are given out always.</summary>
    public TimeSpan? From { get; init; }

    /// <summary>Only events up to this time, since the trace's start.</summary>
    public TimeSpan? To { get; init; }

    /// <summary>Threads that decode buffers ahead; 0 decodes on the reading thread, null takes one less than the machine has processors, at most 4.</summary>
    public int? DecodeThreads { get; init; }

    /// <summary>Largest sum of the sizes of the .etl files taken from one archive, in bytes. They go to a temporary file.</summary>
    public long MaxExtractedBytes { get; init; } = 32L << 30;

    /// <summary>Receives how far the reader is: when it opens, after each buffer and at its end, on the reading thread. Null for nobody.</summary>
    public IProgress<EtlProgress>? Progress { get; init; }

    /// <summary>Bytes that a folder has free.</summary>
    internal Func<string, long> FreeBytes { get; init; } = folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>
    /// Also gives out the records that the session writes for its own use and Windows' ProcessTrace does not deliver (group 0, type 80: partition
    /// information in the header buffer).
    /// </summary>
    public bool SessionRecords { get; init; }
}

/// <summary>How far a reader is.</summary>
/// <param name="Name">What is read: paths.</param>
/// <param name="Done">Bytes of the buffers that were read; those outside <see cref="EtlReadOptions.From"/> and <see cref="EtlReadOptions.To"/> do not count.</param>
/// <param name="Bytes">Bytes of all buffers that will be read.</param>
/// <param name="IsEnd">Whether the reader ends here, at the end of the trace or before it.</param>
public readonly record struct EtlProgress(string Name, long Done, long Bytes, bool IsEnd);
