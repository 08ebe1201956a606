using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A dump of a process, taken during the recording.</summary>
/// <param name="File">Path of its file in the recording's folder, with slashes: <c>dumps/4711-1.dmp</c>.</param>
/// <param name="ProcessId">The dumped process.</param>
/// <param name="Trigger">Its trigger, as the user wrote it: <c>System.FormatException~blank:2</c>, <c>gc-pause&gt;50</c>.</param>
/// <param name="Kind">Kind of dump: mini, heap, full.</param>
/// <param name="MomentTicks">
/// When the trigger happened (the exception was thrown, the pause ended), on the traces' clock (<see cref="TraceClock"/>).
/// </param>
/// <param name="StartTicks">When its writing began, on the same clock.</param>
/// <param name="StopTicks">When it was complete and the process continued, on the same clock.</param>
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
    long Bytes
)
{
    /// <summary>Folder of the dumps in a recording's folder.</summary>
    public const string FolderName = "dumps";

    /// <summary>
    /// Whether the triggering thread was held until the dump was written. If not, the dump shows the process some time later, when the
    /// exception may already be caught.
    /// </summary>
    public bool Held { get; init; }

    /// <summary>The operating system's id of the throwing thread; null when no thread triggered it, or it is unknown.</summary>
    public long? ThreadId { get; init; }

    /// <summary>The runtime's id of that thread (Environment.CurrentManagedThreadId); null when unknown.</summary>
    public int? ManagedThreadId { get; init; }

    /// <summary>Full name of the exception's type; empty when no exception triggered it.</summary>
    [AllowNull]
    public string ExceptionType
    {
        get;
        init => field = value ?? "";
    } = "";

    /// <summary>Message of the exception, truncated when long; empty when no exception triggered it.</summary>
    [AllowNull]
    public string Message
    {
        get;
        init => field = value ?? "";
    } = "";

    /// <summary>Number of the matching throw in the process, from 1; null when no exception triggered it.</summary>
    public long? ThrowNumber { get; init; }

    /// <summary>A further remark, one sentence; empty for none.</summary>
    [AllowNull]
    public string Note
    {
        get;
        init => field = value ?? "";
    } = "";

    /// <summary>
    /// How long the process was stopped for it, in ms: from when its thread was held, else from the start of writing, until the dump was
    /// complete.
    /// </summary>
    [JsonIgnore]
    public double PauseMs => (StopTicks - PauseStartTicks) * 1e3 / TicksPerSecond;

    /// <summary>When the process (or the thread that was held first) stopped, on the traces' clock.</summary>
    [JsonIgnore]
    public long PauseStartTicks => Held ? MomentTicks : StartTicks;
}
