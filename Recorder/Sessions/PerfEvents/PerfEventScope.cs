namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>The threads that a perf session covers.</summary>
public enum PerfEventScope
{
    /// <summary>A process that is about to exec the program, and its descendants; recording begins with the exec.</summary>
    Launch,

    /// <summary>All threads of a running process, and all that they start.</summary>
    Attach,

    /// <summary>Every thread of the machine; needs privileges.</summary>
    SystemWide,
}
