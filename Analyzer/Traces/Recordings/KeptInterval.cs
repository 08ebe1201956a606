using System.Globalization;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// The part of a circular recording that was kept: all sessions have every event of this interval. Earlier events were dropped by design,
/// which is not a loss.
/// </summary>
/// <param name="LimitBytes">Memory for events, all sessions together.</param>
/// <param name="StartTicks">
/// Start on the trace's clock, from which on events are kept; the recording's start when nothing was dropped.
/// </param>
/// <param name="StopTicks">End on the trace's clock: the end of the recording, or the time of the snapshot request.</param>
/// <param name="TicksPerSecond">Ticks of the trace's clock in one second.</param>
/// <param name="Trigger">Why the part was written: <c>end</c>, or the trigger of the snapshot.</param>
/// <param name="KeptBytes">Bytes of the trace files.</param>
/// <param name="DroppedBytes">Bytes of events and stacks dropped.</param>
/// <param name="DroppedEvents">Events and records dropped.</param>
public sealed record KeptInterval(
    long LimitBytes,
    long StartTicks,
    long StopTicks,
    long TicksPerSecond,
    string Trigger,
    long KeptBytes,
    long DroppedBytes,
    long DroppedEvents
)
{
    /// <summary><see cref="Trigger"/> of the part written at the end.</summary>
    public const string AtEnd = "end";

    /// <summary>Whether the recording continued after the interval.</summary>
    [JsonIgnore]
    public bool IsSnapshot => Trigger != AtEnd;

    /// <summary>Length in seconds.</summary>
    [JsonIgnore]
    public double Seconds => (double)(StopTicks - StartTicks) / TicksPerSecond;

    /// <summary>Text for people.</summary>
    [JsonIgnore]
    public string Text =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Seconds:0.0} s before {(IsSnapshot ? Trigger : "the end")}, {StartTicks} to {StopTicks} ticks of the trace's clock; dropped by design: {Plural.Of(DroppedEvents, "event")}, {DroppedBytes / 1e6:0.0} MB"
        );
}
