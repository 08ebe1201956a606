using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// The pauses of a process: from the start of a suspension for a GC to the restart by the same thread, without time already counted.
/// </summary>
internal sealed class Suspensions
{
    private readonly Dictionary<long, long> _suspending = [];

    private long _pausesEnd = long.MinValue;

    /// <summary>A thread begins to suspend the others.</summary>
    public void Begin(in EventAt at, SuspendReason reason)
    {
        if (reason is SuspendReason.Gc or SuspendReason.GcPreparation)
            _suspending[at.ThreadId] = at.Time;
        else
            _suspending.Remove(at.ThreadId);
    }

    /// <summary>A thread let the others resume.</summary>
    /// <returns>Whether a pause ends here that began at <paramref name="start"/>.</returns>
    public bool TryEnd(in EventAt at, out long start)
    {
        if (!_suspending.Remove(at.ThreadId, out start))
            return false;

        // A thread that requests a suspension waits while another holds one; time already counted does not count again.
        start = Math.Max(start, _pausesEnd);
        if (at.Time <= start)
            return false;
        _pausesEnd = at.Time;
        return true;
    }
}
