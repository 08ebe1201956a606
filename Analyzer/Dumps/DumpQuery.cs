namespace EtwSerializerProfiler.Dumps;

/// <summary>What is asked of a dump.</summary>
/// <param name="Sections">What is looked at.</param>
public sealed record DumpQuery(DumpSections Sections)
{
    /// <summary>The runtime's debugging library; null to look for it beside the runtime.</summary>
    public string? DebuggingLibrary { get; init; }

    /// <summary>How long root paths are looked for.</summary>
    public TimeSpan RootTime { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Of how many of the biggest types root paths are looked for.</summary>
    public int RootTypes { get; init; } = 10;
}
