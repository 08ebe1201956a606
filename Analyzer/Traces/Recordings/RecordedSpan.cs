namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>The time in which all sessions of a recording recorded: what lies outside is known in part only.</summary>
/// <param name="StartTicks">When the last session was started; in ticks of the traces' clock (see <see cref="TraceClock"/>), 0 when none was started yet.</param>
/// <param name="StopTicks">When the first one was ended, 0 when unknown.</param>
/// <param name="TicksPerSecond">Ticks in one second.</param>
public sealed record RecordedSpan(long StartTicks, long StopTicks, long TicksPerSecond);
