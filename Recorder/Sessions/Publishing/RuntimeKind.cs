namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Kinds of runtimes that run a build of the suite.</summary>
public enum RuntimeKind
{
    /// <summary>.NET 5 or later: EventPipe, ReadyToRun, self-contained builds.</summary>
    Modern,

    /// <summary>.NET compiled ahead of time into one program (NativeAOT): EventPipe, no JIT, no plugins.</summary>
    NativeAot,

    /// <summary>.NET Framework on Windows, Mono elsewhere: the same build, named by its framework.</summary>
    Framework,

    /// <summary>Mono, on every system.</summary>
    Mono,
}
