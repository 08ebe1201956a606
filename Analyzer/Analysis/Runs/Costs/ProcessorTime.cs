using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// On-CPU time of a process's threads by their context switches. A thread on a processor at the start of the recording has no switch-in,
/// one at the end has no switch-out, and one that never leaves it has only samples: their time counts from the start, or to the end, of the
/// recording.
/// </summary>
/// <param name="windows">The runs.</param>
/// <param name="layout">Names of the threads, which show their roles.</param>
internal sealed class ProcessorTime(RunWindows windows, ProcessLayout layout)
{
    /// <summary>Time of each running thread's switch-in.</summary>
    private readonly Dictionary<long, long> _running = [];

    /// <summary>
    /// Threads with any event. For those on a processor before it: until when (<see cref="StillThere"/>: not switched out yet); for the
    /// others 0.
    /// </summary>
    private readonly Dictionary<long, long> _before = [];

    /// <summary>
    /// Threads that ended. Switches during a thread's teardown no longer belong to its process, so its last switch-out is missing.
    /// </summary>
    private readonly HashSet<long> _ended = [];

    private const long StillThere = long.MaxValue;

    /// <summary>Known roles of threads.</summary>
    private readonly Dictionary<long, ThreadRole> _roles = [];

    /// <summary>A thread was switched in.</summary>
    public void In(in EventAt at)
    {
        // A sample may come between the switch and its record; then the thread was not running before.
        if (!_before.TryGetValue(at.ThreadId, out var until) || until == StillThere)
            _before[at.ThreadId] = 0;
        _running[at.ThreadId] = at.Time;
    }

    /// <summary>A thread was found running. One without an id (-1) is some ending thread.</summary>
    public void Sampled(in EventAt at)
    {
        if (at.ThreadId >= 0)
            _before.TryAdd(at.ThreadId, StillThere);
    }

    /// <summary>A thread ended.</summary>
    public void Ended(in EventAt at)
    {
        Out(at);
        _ended.Add(at.ThreadId);
    }

    /// <summary>A thread was switched out.</summary>
    public void Out(in EventAt at)
    {
        if (_running.Remove(at.ThreadId, out var start))
            Add(at.ThreadId, start, at.Time);
        else if (!_before.TryGetValue(at.ThreadId, out var until) || until == StillThere)
            _before[at.ThreadId] = at.Time;
    }

    /// <summary>
    /// Adds the time of threads that were running when the recording began or ended. Not for a recording that lost switches, which does not
    /// know them.
    /// </summary>
    /// <param name="begin">Start of the recording.</param>
    /// <param name="end">End of the recording.</param>
    public void Complete(long begin, long end)
    {
        foreach (var (thread, until) in _before)
            Add(thread, begin, until == StillThere ? end : until);
        foreach (var (thread, start) in _running)
        {
            if (!_ended.Contains(thread))
                Add(thread, start, end);
        }

        _before.Clear();
        _running.Clear();
    }

    /// <summary>Adds time of a thread on a processor.</summary>
    public void Add(long thread, long start, long stop)
    {
        ref var role = ref CollectionsMarshal.GetValueRefOrAddDefault(_roles, thread, out var known);
        if (!known)
            role = RuntimeThreads.RoleOf(layout.ThreadName(thread));
        foreach (var (tally, ticks) in windows.Clip(start, stop))
        {
            tally.CpuTicks += ticks;
            if (role == ThreadRole.Gc)
                tally.CollectorCpuTicks += ticks;
            else if (role == ThreadRole.Compilation)
                tally.CompilerCpuTicks += ticks;
        }
    }
}
