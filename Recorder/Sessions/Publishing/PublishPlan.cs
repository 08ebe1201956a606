namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>
/// Plan for building the suite for a runtime and starting it there. Data only: printed by <c>--dry-run</c>, tested, executed by
/// <see cref="WorkloadPublisher"/>.
/// </summary>
/// <param name="Target">The runtime.</param>
/// <param name="ReadyToRun">Whether the suite and its libraries are precompiled.</param>
/// <param name="Label">Name of the variant in tables: <c>net8.0</c>, <c>net10.0 R2R</c>.</param>
/// <param name="Reason">What is published and why, or why nothing is published; one line.</param>
public sealed record PublishPlan(RuntimeTarget Target, bool ReadyToRun, string Label, string Reason)
{
    /// <summary>Name of the recording's folder within the folder of the index.</summary>
    public string FolderName => Label.ToLowerInvariant().Replace(' ', '-');

    /// <summary>The <c>dotnet publish</c> command; empty when the build beside esp-record is used.</summary>
    public IReadOnlyList<string> Command { get; init; } = [];

    /// <summary>Folder of the build: output, intermediate files, log. Empty when nothing is published.</summary>
    public string BuildFolder { get; init; } = "";

    /// <summary>Folder of the suite that is started.</summary>
    public required string OutputFolder { get; init; }

    /// <summary>Command line up to the suite's own arguments.</summary>
    public required IReadOnlyList<string> Launch { get; init; }

    /// <summary>Variables that the build needs to start.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>The Mono that runs the build; null for other runtimes.</summary>
    public MonoInstallation? Mono { get; init; }

    /// <summary>Folder for Mono's facades; empty when none are needed.</summary>
    public string FacadesFolder { get; init; } = "";

    /// <summary>Whether the runtime has EventPipe.</summary>
    public bool HasEventPipe => Target.Kind is RuntimeKind.Modern or RuntimeKind.NativeAot;
}
