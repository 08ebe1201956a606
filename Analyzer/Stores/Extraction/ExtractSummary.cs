namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Result of an extraction.</summary>
public sealed record ExtractSummary
{
    /// <summary>The store.</summary>
    public required StoreAddress Store { get; init; }

    /// <summary>Number of traces found.</summary>
    public required int Traces { get; init; }

    /// <summary>Number of traces that are new in the store.</summary>
    public int New { get; init; }

    /// <summary>Number of traces that replaced older rows.</summary>
    public int Changed { get; init; }

    /// <summary>Number of traces that the store already had.</summary>
    public int Known { get; init; }

    /// <summary>Number of these that could not be read in an earlier attempt.</summary>
    public int KnownFailed { get; init; }

    /// <summary>Traces with the same content as another trace.</summary>
    public IReadOnlyList<string> Duplicates { get; init; } = [];

    /// <summary>Traces that could not be read, with the error; not counted as new or changed.</summary>
    public IReadOnlyList<(string Path, string Error)> Failed { get; init; } = [];

    /// <summary>Number of traces not done when the extraction was interrupted.</summary>
    public int NotDone { get; init; }

    /// <summary>Whether it was interrupted.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>Number of files that are not traces.</summary>
    public int OtherFiles { get; init; }

    /// <summary>Number of folders that were not searched.</summary>
    public int OtherFolders { get; init; }

    /// <summary>Folders that could not be listed, a sentence each.</summary>
    public IReadOnlyList<string> Problems { get; init; } = [];

    /// <summary>Bytes of the extracted traces.</summary>
    public long Bytes { get; init; }

    /// <summary>Number of inserted rows.</summary>
    public long Rows { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Number of worker processes.</summary>
    public int Jobs { get; init; }

    /// <summary>Size of the store in bytes; null when unknown.</summary>
    public long? StoreBytes { get; init; }

    /// <summary>Whether a trace was read, now or earlier.</summary>
    public bool HasTraces => New + Changed + (Known - KnownFailed) > 0;
}
