namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What <c>esp-analyze extract</c> is asked for.</summary>
/// <param name="Paths">Files and folders.</param>
/// <param name="Store">Where rows go.</param>
public sealed record ExtractRequest(IReadOnlyList<string> Paths, StoreAddress Store)
{
    /// <summary>What is extracted of each trace.</summary>
    public ExtractOptions Options { get; init; } = new();

    /// <summary>Worker processes at most; null for as many as processors and memory permit.</summary>
    public int? Jobs { get; init; }

    /// <summary>Whether sub-folders are searched.</summary>
    public bool Recursive { get; init; }

    /// <summary>Whether traces that failed are tried again.</summary>
    public bool RetryFailed { get; init; }
}
