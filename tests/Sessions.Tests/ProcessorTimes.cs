using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Time of each thread on processors in a run, by its switch records. It has what the host takes from the thread meanwhile, as samples
/// have, and as the thread's own clock has not (CONFIG_PARAVIRT_TIME_ACCOUNTING).
/// </summary>
/// <param name="run">The run.</param>
internal sealed class ProcessorTimes(Run run) : IEventSubscriber
{
    /// <summary>
    /// Of each switch a part is in the thread's clock and its samples, and not between the records: measured 6 µs, 20 µs on a loaded
    /// machine.
    /// </summary>
    public const double SwitchMs = 0.05;

    private readonly Dictionary<long, long> _since = [];
    private readonly Dictionary<long, (long Ticks, int Switches)> _times = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe((in SwitchedIn switched) => _since.TryAdd(switched.At.ThreadId, switched.At.Time));
        hub.Subscribe((in SwitchedOut switched) => Leave(switched.At));
        hub.Subscribe((in ThreadEnded ended) => Leave(ended.At));
    }

    /// <summary>The most that a thread can have taken, in ms; 0 if it was on no processor.</summary>
    public double MostMs(long thread)
    {
        var (ticks, switches) = _times.GetValueOrDefault(thread);
        return (ticks / 1e6) + (SwitchMs * switches);
    }

    private void Leave(EventAt at)
    {
        if (!_since.Remove(at.ThreadId, out var since) || at.Time < run.StartTicks || since > run.StopTicks)
            return;
        var (ticks, switches) = _times.GetValueOrDefault(at.ThreadId);
        var inRun = Math.Min(at.Time, run.StopTicks) - Math.Max(since, run.StartTicks);
        _times[at.ThreadId] = (ticks + inRun, switches + 1);
    }
}
