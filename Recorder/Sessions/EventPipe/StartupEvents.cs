namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// Events that explain the time of a first call. They cost time when code is new, so they are recorded only when first calls are analyzed.
/// </summary>
[Flags]
public enum StartupEvents
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Assembly binds: where the runtime searched for an assembly, and the result.</summary>
    Assemblies = 1,

    /// <summary>Start and end of each type load (.NET 5 and later).</summary>
    Types = 2,

    /// <summary>Used precompiled (ReadyToRun) methods (.NET Core 3 and later).</summary>
    Precompiled = 4,

    /// <summary>All of them.</summary>
    All = Assemblies | Types | Precompiled,
}
