using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Plan of an ETW recording: sessions, providers, keywords, levels, filters, buffers. Data only, the same for every system and tool.
/// <see cref="EtwPresets"/> creates it; <c>Steps</c> turns it into commands, profiles and scripts.
/// </summary>
/// <param name="Purpose">Purpose of the recording.</param>
/// <param name="Mode">Files, or the newest part in memory.</param>
/// <param name="Kernel">The kernel session.</param>
/// <param name="UserSessions">The user sessions in the order of their start.</param>
/// <param name="Rundown">Rundown of method names for processes that are still running at the end; null for none.</param>
/// <param name="NgenPdbs">Whether to create PDB files for NGEN images.</param>
/// <param name="Compress">Whether to compress the merged file.</param>
/// <param name="Warnings">What the user should know before it runs, a sentence each.</param>
public sealed record EtwPlan(
    EtwPurpose Purpose,
    RecordingMode Mode,
    EtwKernelSession Kernel,
    IReadOnlyList<EtwUserSession> UserSessions,
    EtwRundown? Rundown,
    bool NgenPdbs,
    bool Compress,
    IReadOnlyList<string> Warnings
)
{
    /// <summary>Name of the kernel session's file in the recording's folder.</summary>
    public const string KernelFileName = "kernel.etl";

    /// <summary>Name of the file with everything, including data for symbols; <c>esp-analyze</c>, WPA and PerfView open it.</summary>
    public const string MergedFileName = "merged.etl";

    /// <summary>Whether the newest part is kept in memory and written at the end.</summary>
    public bool IsCircular => Mode.IsCircular;

    /// <summary>All user sessions, including the rundown's.</summary>
    public IEnumerable<EtwUserSession> AllUserSessions => Rundown is null ? UserSessions : UserSessions.Append(Rundown.Session);

    /// <summary>Whether it records inline trees, for which programs need DOTNET_RichDebugInfo=1.</summary>
    public bool HasInlineTrees => UserSessions.Any(session => session.Providers.Any(provider => provider.Id == EtwProviders.Private));
}
