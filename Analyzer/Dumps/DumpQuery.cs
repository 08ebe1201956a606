namespace EtwSerializerProfiler.Dumps;

/// <summary>What to read from a dump, and how.</summary>
/// <param name="Sections">The sections to read.</param>
public sealed record DumpQuery(DumpSections Sections)
{
    /// <summary>The runtime's debugging library; null to search for it beside the runtime.</summary>
    public string? DebuggingLibrary { get; init; }

    /// <summary>Time limit of the search for root paths.</summary>
    public TimeSpan RootTime { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Number of the largest types for which root paths are searched.</summary>
    public int RootTypes { get; init; } = 10;
}
