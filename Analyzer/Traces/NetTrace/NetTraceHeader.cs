using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>What the first object of a .nettrace file says of the trace.</summary>
/// <param name="Version">Version of the format: 4, 5 or 6.</param>
/// <param name="StartUtc">When the session began.</param>
/// <param name="Clock">The trace's clock.</param>
/// <param name="PointerBytes">Size of a pointer in the recorded process, 4 or 8.</param>
/// <param name="ProcessId">Recorded process, 0 when the file does not say.</param>
internal sealed record NetTraceHeader(int Version, DateTime StartUtc, TraceClock Clock, int PointerBytes, int ProcessId)
{
    /// <summary>Time between two CPU samples of a processor; null when the file does not say.</summary>
    public long? SamplingNanoseconds { get; init; }

    /// <summary>Whether the trace says that its switch events are where threads are switched in; an export of esp-analyze does.</summary>
    public bool SwitchesAreIn { get; init; }

    /// <summary>Kinds of events that were recorded, whether any occurred or not; an export of esp-analyze names them.</summary>
    public EventKinds RecordedKinds { get; init; }

    /// <summary>Whether esp-analyze made the trace of a recording: then it names all code that is known.</summary>
    public bool IsExported => RecordedKinds != EventKinds.None;

    /// <summary>Whether all processes of the machine were recorded: record-trace does, and an export says it.</summary>
    public bool IsOfMachine => !IsExported || (RecordedKinds & EventKinds.OtherProcesses) != 0;

    /// <summary>Key of the trace that has them.</summary>
    public const string RecordedKindsKey = "RecordedKinds";

    /// <summary>Key of the trace that says where its switch events are, and its value.</summary>
    public const string SwitchEventsKey = "SwitchEvents";

    /// <summary>The value of <see cref="SwitchEventsKey"/>.</summary>
    public const string SwitchedIn = "switched in";
}
