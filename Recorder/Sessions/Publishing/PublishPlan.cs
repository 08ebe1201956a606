namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>How the suite is built for a runtime and started on it. Data only: printed by <c>--dry-run</c>, tested, carried out by <see cref="WorkloadPublisher"/>.</summary>
/// <param name="Target">The runtime.</param>
/// <param name="ReadyToRun">Whether the suite and its libraries are precompiled.</param>
/// <param name="Label">Name of the side in tables: <c>net8.0</c>, <c>net10.0 R2R</c>.</param>
/// <param name="Reason">What is published and why so, or why nothing is; one line.</param>
public sealed record PublishPlan(RuntimeTarget Target, bool ReadyToRun, string Label, string Reason)
{
    /// <summary>Name of the recording's folder within that of the index.</summary>
    public string FolderName => Label.ToLowerInvariant().Replace(' ', '-');

    /// <summary>The <c>dotnet publish</c> command; empty when the build beside esp-record is used.</summary>
    public IReadOnlyList<string> Command { get; init; } = [];

    /// <summary>Folder of all that belongs to the build: output, intermediate files, log. Empty when nothing is published.</summary>
    public string BuildFolder { get; init; } = "";

    /// <summary>Folder with the suite as it is started.</summary>
    public required string OutputFolder { get; init; }

    /// <summary>What is started, program first; the suite's own arguments follow.</summary>
    public required IReadOnlyList<string> Launch { get; init; }

    /// <summary>Variables that the build needs to start at all.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>Mono that runs the build; null when it is another runtime.</summary>
    public MonoInstallation? Mono { get; init; }

    /// <summary>Folder that is to hold facades for Mono; empty when none are needed.</summary>
    public string FacadesFolder { get; init; } = "";

    /// <summary>Whether the runtime has EventPipe.</summary>
    public bool HasEventPipe => Target.Kind == RuntimeKind.Modern;
}
