using System.Globalization;
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

    /// <summary>Number of the machine's processors; null when the file does not say.</summary>
    public int? Processors { get; init; }

    /// <summary>Whether the trace says that its switch events are where threads are switched in; an export of esp-analyze does.</summary>
    public bool SwitchesAreIn { get; init; }

    /// <summary>The processes that were read of what the trace was made of, in their order, with the kinds of events that were recorded of each, whether any occurred or not; empty where the trace does not say it. An export of esp-analyze does.</summary>
    public IReadOnlyList<(int ProcessId, EventKinds Kinds)> Recorded { get; init; } = [];

    /// <summary>Whether esp-analyze made the trace: then it names all code that is known.</summary>
    public bool IsExported => Recorded.Count > 0;

    /// <summary>Whether all processes of the machine were recorded: record-trace does, and an export says it.</summary>
    public bool IsOfMachine => !IsExported || Recorded.Any(process => (process.Kinds & EventKinds.OtherProcesses) != 0);

    /// <summary>Key of the trace that has <see cref="Recorded"/>: <c>123: Gc, Jit; 456: None</c>.</summary>
    public const string RecordedKindsKey = "RecordedKinds";

    /// <summary>Key of the trace that has <see cref="Processors"/>.</summary>
    public const string ProcessorsKey = "HardwareThreadCount";

    /// <summary>Key of the trace that says where its switch events are, and its value.</summary>
    public const string SwitchEventsKey = "SwitchEvents";

    /// <summary>The value of <see cref="SwitchEventsKey"/>.</summary>
    public const string SwitchedIn = "switched in";

    /// <summary>The text of <see cref="RecordedKindsKey"/>.</summary>
    public static string TextOf(IEnumerable<(int ProcessId, EventKinds Kinds)> recorded) => string.Join("; ", recorded.Select(process => FormattableString.Invariant($"{process.ProcessId}: {process.Kinds}")));

    /// <summary>Reads the text of <see cref="RecordedKindsKey"/>; what it does not understand is left out.</summary>
    public static IReadOnlyList<(int ProcessId, EventKinds Kinds)> RecordedOf(string text) =>
    [
        .. text.Split(';').Select(part => part.Split(':', 2)).Where(part => part.Length == 2)
            .Select(part => int.TryParse(part[0], NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out var id) && Enum.TryParse<EventKinds>(part[1], out var kinds) ? (id, kinds & EventKinds.All) : default)
            .Where(process => process.Item1 > 0).DistinctBy(process => process.Item1),
    ];
}
