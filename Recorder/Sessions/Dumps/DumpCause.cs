namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>What happened in a recorded process to trigger a dump.</summary>
/// <param name="ProcessId">The process.</param>
/// <param name="Trigger">The trigger.</param>
/// <param name="MomentTicks">Time of the event in Stopwatch ticks, which are those of the traces' clock.</param>
internal sealed record DumpCause(int ProcessId, DumpTrigger Trigger, long MomentTicks)
{
    /// <summary>The operating system's id of the throwing thread; null when unknown.</summary>
    public long? ThreadId { get; init; }

    /// <summary>The runtime's id of that thread; null when unknown.</summary>
    public int? ManagedThreadId { get; init; }

    /// <summary>Full name of the exception's type; empty without an exception.</summary>
    public string ExceptionType { get; init; } = "";

    /// <summary>The exception's message.</summary>
    public string Message { get; init; } = "";

    /// <summary>Ordinal of the matching throw in the process, from 1; null without an exception.</summary>
    public long? ThrowNumber { get; init; }

    /// <summary>What was measured, as a clause: <c>a GC paused for 75 ms</c>.</summary>
    public string Note { get; init; } = "";

    /// <summary>Whether a thread waits for the dump.</summary>
    public bool Waits { get; init; }
}
