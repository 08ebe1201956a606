namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Whether the suite and the libraries it brings are compiled before they run (ReadyToRun).</summary>
public enum PrecompileMode
{
    /// <summary>The JIT compiles them, as in an ordinary build.</summary>
    Off,

    /// <summary>They are published with precompiled code.</summary>
    On,

    /// <summary>Both, each recorded by itself.</summary>
    Both,
}
