namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What an extract came to.</summary>
public sealed record ExtractSummary
{
    /// <summary>Where the rows are.</summary>
    public required StoreAddress Store { get; init; }

    /// <summary>Traces that were found.</summary>
    public required int Traces { get; init; }

    /// <summary>Traces that the store has for the first time.</summary>
    public int New { get; init; }

    /// <summary>Traces whose rows took the place of older ones.</summary>
    public int Changed { get; init; }

    /// <summary>Traces that the store had already.</summary>
    public int Known { get; init; }

    /// <summary>Of these, how many could not be read when they were tried.</summary>
    public int KnownFailed { get; init; }

    /// <summary>Traces with the same content as another one.</summary>
    public IReadOnlyList<string> Duplicates { get; init; } = [];

    /// <summary>Traces that could not be read, and why; not among the new and the changed ones.</summary>
    public IReadOnlyList<(string Path, string Error)> Failed { get; init; } = [];

    /// <summary>Traces that were not done when the call was interrupted.</summary>
    public int NotDone { get; init; }

    /// <summary>Whether it was interrupted.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>Files that are no traces.</summary>
    public int OtherFiles { get; init; }

    /// <summary>Folders that were not searched.</summary>
    public int OtherFolders { get; init; }

    /// <summary>Folders that could not be listed, a sentence each.</summary>
    public IReadOnlyList<string> Problems { get; init; } = [];

    /// <summary>Bytes of the traces that were extracted now.</summary>
    public long Bytes { get; init; }

    /// <summary>Rows put in.</summary>
    public long Rows { get; init; }

    /// <summary>How long it took.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Worker processes.</summary>
    public int Jobs { get; init; }

    /// <summary>Size of the store in bytes; null when it does not tell.</summary>
    public long? StoreBytes { get; init; }

    /// <summary>Whether a trace was read, now or before.</summary>
    public bool HasTraces => New + Changed + (Known - KnownFailed) > 0;
}
