namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Whether the suite and its libraries are precompiled (ReadyToRun).</summary>
public enum PrecompileMode
{
    /// <summary>The JIT compiles them, as in a normal build.</summary>
    Off,

    /// <summary>They are published with precompiled code.</summary>
    On,

    /// <summary>Both variants, recorded separately.</summary>
    Both,
}
