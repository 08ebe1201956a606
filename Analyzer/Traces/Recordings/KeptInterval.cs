using System.Globalization;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// The part of a circular recording that was kept: all sessions hold every event of this interval. What lies before it was dropped by design, which is no
/// loss.
/// </summary>
/// <param name="LimitBytes">Memory for events, all sessions together.</param>
/// <param name="StartTicks">Begin on the trace's clock: events after it are kept. That of the recording when nothing was dropped.</param>
/// <param name="StopTicks">End on the trace's clock: the end of the recording, or when the snapshot was asked for.</param>
/// <param name="TicksPerSecond">Ticks of the trace's clock in one second.</param>
/// <param name="Trigger">What made the part be written: <c>end</c>, or what asked for the snapshot.</param>
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
    long DroppedEvents)
{
    /// <summary><see cref="Trigger"/> of the part written at the end.</summary>
    public const string AtEnd = "end";

    /// <summary>Whether the recording went on behind the interval.</summary>
    [JsonIgnore]
    public bool IsSnapshot => Trigger != AtEnd;

    /// <summary>Length in seconds.</summary>
    [JsonIgnore]
    public double Seconds => (double)(StopTicks - StartTicks) / TicksPerSecond;

    /// <summary>The interval for people.</summary>
    [JsonIgnore]
    public string Text => string.Create(
        CultureInfo.InvariantCulture,
        $"{Seconds:0.0} s before {(IsSnapshot ? Trigger : "the end")}, {StartTicks} to {StopTicks} ticks of the trace's clock; dropped by design: {Plural.Of(DroppedEvents, "event")}, {DroppedBytes / 1e6:0.0} MB");
}
