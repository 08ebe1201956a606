using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A dump of a recorded process that was taken while it was recorded.</summary>
/// <param name="File">Path of its file in the recording's folder, with slashes: <c>dumps/4711-1.dmp</c>.</param>
/// <param name="ProcessId">The dumped process.</param>
/// <param name="Trigger">What made it be taken, as the user wrote it: <c>System.FormatException~blank:2</c>, <c>gc-pause&gt;50</c>.</param>
/// <param name="Kind">How much of the memory it has: mini, heap, full.</param>
/// <param name="MomentTicks">When what triggered it happened (the exception was thrown, the pause ended), on the traces' clock (<see cref="TraceClock"/>).</param>
/// <param name="StartTicks">When its writing began, on the same clock.</param>
/// <param name="StopTicks">When it was written and the process ran on, on the same clock.</param>
/// <param name="TicksPerSecond">Ticks of that clock in one second.</param>
/// <param name="Bytes">Size of the file.</param>
public sealed record RecordedDump(
    string File,
    int ProcessId,
    string Trigger,
    string Kind,
    long MomentTicks,
    long StartTicks,
    long StopTicks,
    long TicksPerSecond,
    long Bytes)
{
    /// <summary>Folder of the dumps in a recording's folder.</summary>
    public const string FolderName = "dumps";

    /// <summary>Whether the thread of the trigger was kept where it was until the dump was written. If not, the dump shows the process some time later, and the exception may be long caught.</summary>
    public bool Held { get; init; }

    /// <summary>The operating system's id of the thread that threw; null when no thread triggered it, or nobody knows.</summary>
    public long? ThreadId { get; init; }

    /// <summary>The runtime's id of that thread (Environment.CurrentManagedThreadId); null when unknown.</summary>
    public int? ManagedThreadId { get; init; }

    /// <summary>Full name of the exception's type; empty when no exception triggered it.</summary>
    [AllowNull]
    public string ExceptionType { get; init => field = value ?? ""; } = "";

    /// <summary>Message of the exception, its beginning when it is long; empty when no exception triggered it.</summary>
    [AllowNull]
    public string Message { get; init => field = value ?? ""; } = "";

    /// <summary>Which throw of the process that matched the trigger it was, from 1 on; null when no exception triggered it.</summary>
    public long? ThrowNumber { get; init; }

    /// <summary>What else is to be known of it, a sentence; else empty.</summary>
    [AllowNull]
    public string Note { get; init => field = value ?? ""; } = "";

    /// <summary>How long the process stood still for it, in ms: from the moment at which its thread was held, else from the beginning of writing, until it was written.</summary>
    [JsonIgnore]
    public double PauseMs => (StopTicks - PauseStartTicks) * 1e3 / TicksPerSecond;

    /// <summary>When the process (or the thread that was held first) came to stand still, on the traces' clock.</summary>
    [JsonIgnore]
    public long PauseStartTicks => Held ? MomentTicks : StartTicks;
}
