using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// What ETW records: sessions, providers, keywords, levels, filters, buffers. Data only, the same on every system and for every tool: <c>Steps</c> makes
/// commands of it, profiles and scripts are written from it. <see cref="EtwPresets"/> makes it.
/// </summary>
/// <param name="Purpose">What it is for.</param>
/// <param name="Mode">Files, or the newest part in memory.</param>
/// <param name="Kernel">The kernel session.</param>
/// <param name="UserSessions">The user sessions, in the order in which they are started.</param>
/// <param name="Rundown">Names of methods of what still runs at the end; null to leave them out.</param>
/// <param name="NgenPdbs">Whether PDB files of NGEN images are made.</param>
/// <param name="Compress">Whether the merged file is compressed.</param>
/// <param name="Warnings">What the user should know of it before it runs, a sentence each.</param>
public sealed record EtwPlan(
    EtwPurpose Purpose,
    RecordingMode Mode,
    EtwKernelSession Kernel,
    IReadOnlyList<EtwUserSession> UserSessions,
    EtwRundown? Rundown,
    bool NgenPdbs,
    bool Compress,
    IReadOnlyList<string> Warnings)
{
    /// <summary>File of the kernel session in the recording's folder.</summary>
    public const string KernelFileName = "kernel.etl";

    /// <summary>The file that holds everything, with what symbols need; <c>esp-analyze</c>, WPA and PerfView open it.</summary>
    public const string MergedFileName = "merged.etl";

    /// <summary>Whether the newest part is kept in memory and written at the end.</summary>
    public bool IsCircular => Mode.IsCircular;

    /// <summary>All user sessions, that of the rundown included.</summary>
    public IEnumerable<EtwUserSession> AllUserSessions => Rundown is null ? UserSessions : UserSessions.Append(Rundown.Session);

    /// <summary>Whether it brings inline trees, for which programs need DOTNET_RichDebugInfo=1.</summary>
    public bool HasInlineTrees => UserSessions.Any(session => session.Providers.Any(provider => provider.Id == EtwProviders.Private));
}
