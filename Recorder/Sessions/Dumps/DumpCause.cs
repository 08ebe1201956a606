namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>What happened in a recorded process that a dump is to be taken on.</summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Trigger">The trigger.</param>
/// <param name="MomentTicks">When, in ticks of Stopwatch, which are those of the traces' clock.</param>
internal sealed record DumpCause(int ProcessId, DumpTrigger Trigger, long MomentTicks)
{
    /// <summary>The operating system's id of the thread that threw, null when unknown.</summary>
    public long? ThreadId { get; init; }

    /// <summary>The runtime's id of it, null when unknown.</summary>
    public int? ManagedThreadId { get; init; }

    /// <summary>Full name of the exception's type, empty without one.</summary>
    public string ExceptionType { get; init; } = "";

    /// <summary>Its message.</summary>
    public string Message { get; init; } = "";

    /// <summary>Which matching throw of the process it is, null without an exception.</summary>
    public long? ThrowNumber { get; init; }

    /// <summary>What was measured, a clause: <c>a collection paused for 75 ms</c>.</summary>
    public string Note { get; init; } = "";

    /// <summary>Whether a thread waits for the dump.</summary>
    public bool Waits { get; init; }
}
