using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.SerializerTests;

/// <summary>
/// Replaces marks and waits for SerializerTests, which writes no marks: its marker thread waits in a method named after the operation.
/// </summary>
/// <param name="reading">The process.</param>
internal sealed class SerializerTestsPhase(ProcessReading reading)
{
    private const EventKinds Needed = EventKinds.ContextSwitches | EventKinds.SwitchInStacks | EventKinds.MethodCode;

    private readonly SerializerTestsMarkers _markers = new();
    private SerializerTestsWaits? _waits;

    /// <summary>Whether events of these kinds suffice to delimit runs.</summary>
    public static bool CanRead(EventKinds kinds) => (kinds & Needed) == Needed;

    /// <summary>Requests the methods in which a marker waits.</summary>
    public IEnumerable<TraceRequest> MethodRequests() => reading.MayBeSerializerTests ? reading.Process.Requests(_markers) : [];

    /// <summary>Requests the waits; nothing when the process has no such method.</summary>
    public IEnumerable<TraceRequest> WaitRequests() =>
        _markers.Any ? reading.Process.Requests(_waits = new SerializerTestsWaits(_markers)) : [];

    /// <summary>The process with its runs, whose serializers are still unknown; null for another program.</summary>
    public DelimitedProcess? Delimit() =>
        _waits is null
            ? null
            : new DelimitedProcess(reading, RunDelimiter.MarkerWait, DelimitedRun.Of(_waits.Runs(reading.Clock)))
            {
                IsSerializerTests = true,
            };
}
