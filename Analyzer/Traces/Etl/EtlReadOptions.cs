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

    /// <summary>Bytes that a folder has free.</summary>
    internal Func<string, long> FreeBytes { get; init; } = folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>
    /// Also gives out the records that the session writes for its own use and Windows' ProcessTrace does not deliver (group 0, type 80: partition
    /// information in the header buffer).
    /// </summary>
    public bool SessionRecords { get; init; }
}
