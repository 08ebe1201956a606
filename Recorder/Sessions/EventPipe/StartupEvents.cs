namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>Events that tell what a first call is made of. They cost time where code is new, and are recorded only where first calls are looked at.</summary>
[Flags]
public enum StartupEvents
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>What the runtime looked for to load an assembly, and what came of it.</summary>
    Assemblies = 1,

    /// <summary>Begin and end of each type's load (.NET 5 and later).</summary>
    Types = 2,

    /// <summary>Precompiled (ReadyToRun) methods that were used (.NET Core 3 and later).</summary>
    Precompiled = 4,

    /// <summary>All of them.</summary>
    All = Assemblies | Types | Precompiled,
}
