using System.Globalization;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Data of the first object of a .nettrace file.</summary>
/// <param name="Version">Version of the format: 4, 5 or 6.</param>
/// <param name="StartUtc">Start of the session.</param>
/// <param name="Clock">The trace's clock.</param>
/// <param name="PointerBytes">Size of a pointer in the recorded process, 4 or 8.</param>
/// <param name="ProcessId">Recorded process; 0 when the file lacks it.</param>
internal sealed record NetTraceHeader(int Version, DateTime StartUtc, TraceClock Clock, int PointerBytes, int ProcessId)
{
    /// <summary>Time between two CPU samples of a processor; null when the file lacks it.</summary>
    public long? SamplingNanoseconds { get; init; }

    /// <summary>Number of the machine's processors; null when the file lacks it.</summary>
    public int? Processors { get; init; }

    /// <summary>Whether the trace declares that its switch events are switch-ins, as an export of esp-analyze does.</summary>
    public bool SwitchesAreIn { get; init; }

    /// <summary>Whether code of the kernel was sampled: always by record-trace, and not in exports that declare it.</summary>
    public bool SamplesKernel { get; init; } = true;

    /// <summary>
    /// The exported processes in order, with the kinds of events recorded for each, whether any occurred or not; empty when the trace lacks
    /// it. Exports of esp-analyze have it.
    /// </summary>
    public IReadOnlyList<(int ProcessId, EventKinds Kinds)> Recorded { get; init; } = [];

    /// <summary>Whether esp-analyze made the trace, which then names all known code.</summary>
    public bool IsExported => Recorded.Count > 0;

    /// <summary>Whether all processes of the machine were recorded: always by record-trace, and declared by an export.</summary>
    public bool IsOfMachine => !IsExported || Recorded.Any(process => (process.Kinds & EventKinds.OtherProcesses) != 0);

    /// <summary>Key of the trace for <see cref="Recorded"/>: <c>123: Gc, Jit; 456: None</c>.</summary>
    public const string RecordedKindsKey = "RecordedKinds";

    /// <summary>Key of the trace for <see cref="Processors"/>.</summary>
    public const string ProcessorsKey = "HardwareThreadCount";

    /// <summary>Key of the trace for <see cref="SamplesKernel"/>; absent where it is true.</summary>
    public const string KernelSamplesKey = "KernelSamples";

    /// <summary>The value of <see cref="KernelSamplesKey"/>.</summary>
    public const string NotRecorded = "not recorded";

    /// <summary>Key of the trace for the meaning of its switch events.</summary>
    public const string SwitchEventsKey = "SwitchEvents";

    /// <summary>The value of <see cref="SwitchEventsKey"/>.</summary>
    public const string SwitchedIn = "switched in";

    /// <summary>Formats the text of <see cref="RecordedKindsKey"/>.</summary>
    public static string TextOf(IEnumerable<(int ProcessId, EventKinds Kinds)> recorded) =>
        string.Join("; ", recorded.Select(process => FormattableString.Invariant($"{process.ProcessId}: {process.Kinds}")));

    /// <summary>Parses the text of <see cref="RecordedKindsKey"/>; ignores unknown parts.</summary>
    public static IReadOnlyList<(int ProcessId, EventKinds Kinds)> RecordedOf(string text) =>
        [
            .. text.Split(';')
                .Select(part => part.Split(':', 2))
                .Where(part => part.Length == 2)
                .Select(part =>
                    int.TryParse(part[0], NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out var id)
                    && Enum.TryParse<EventKinds>(part[1], out var kinds)
                        ? (id, kinds & EventKinds.All)
                        : default
                )
                .Where(process => process.Item1 > 0)
                .DistinctBy(process => process.Item1),
        ];
}
