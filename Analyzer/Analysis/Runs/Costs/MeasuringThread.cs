namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// Follows one thread that measures runs: at every moment it is on a processor, waiting or ready. The parts of these times that lie in its own runs are
/// added to them. Time of which the records do not tell (before the first one, around a lost one) is added to nothing.
/// </summary>
/// <param name="thread">The thread.</param>
/// <param name="windows">The runs of the process; those of other threads are left alone.</param>
internal class MeasuringThread(long thread, RunWindows windows)
{
    private State _state;

    /// <summary>Since when the state holds.</summary>
    private long _since;

    /// <summary>The first waking since the thread left its processor.</summary>
    private long? _woken;

    /// <summary>
    /// A waking came while the thread was on its processor. If it leaves to wait all the same and no other waking comes, this one ended the wait before
    /// it began: the thread was on its way out.
    /// </summary>
    private bool _wokenBefore;

    private enum State
    {
        Unknown,
        Running,
        Waiting,
        Preempted,
    }

    /// <summary>The thread came to a processor.</summary>
    public void Come(long time)
    {
        // On a processor already: its switch-out was lost, and when it left is not known.
        if (_state != State.Running)
            Close(time);
        Enter(State.Running, time);
    }

    /// <summary>The thread left its processor.</summary>
    public void Leave(long time, bool isPreempted)
    {
        var wokenBefore = _state == State.Running && _wokenBefore;

        // Off its processor already: its switch-in was lost, and when it came is not known.
        if (_state == State.Running)
            Close(time);
        if (windows.At(time) is { } run && run.MeasuringThread == thread)
        {
            if (isPreempted)
                run.InvoluntarySwitches++;
            else
                run.VoluntarySwitches++;
        }

        Enter(isPreempted ? State.Preempted : State.Waiting, time);
        _wokenBefore = wokenBefore;
    }

    /// <summary>The thread was made ready.</summary>
    public void Wake(long time)
    {
        if (_state == State.Running)
            _wokenBefore = true;
        else
            _woken ??= time;
    }

    /// <summary>What the thread did last, it did up to now: it does something else, has ended, or the trace has.</summary>
    public void Close(long time)
    {
        switch (_state)
        {
            case State.Running:
                Add(_since, time, static (tally, ticks) => tally.OnCpuTicks += ticks);
                break;
            case State.Preempted:
                Add(_since, time, static (tally, ticks) => tally.ReadyTicks += ticks);
                break;
            case State.Waiting:
                var ready = _woken ?? (_wokenBefore ? _since : time);
                Add(_since, ready, static (tally, ticks) => tally.WaitTicks += ticks);
                Waited(_since, ready);
                Add(ready, time, static (tally, ticks) => tally.ReadyTicks += ticks);
                break;
        }

        Enter(State.Unknown, time);
    }

    /// <summary>Adds what the thread did by its clocks.</summary>
    public void Spend(in ThreadSpan span)
    {
        Add(span.Start, span.Readied, static (tally, ticks) => tally.WaitTicks += ticks);
        Add(span.Readied, span.Running, static (tally, ticks) => tally.ReadyTicks += ticks);
        Add(span.Running, span.Stop, static (tally, ticks) => tally.OnCpuTicks += ticks);
    }

    /// <summary>The thread has waited; the span may lie outside its runs.</summary>
    protected virtual void Waited(long start, long stop)
    {
    }

    private void Enter(State state, long time)
    {
        _state = state;
        _since = time;
        _woken = null;
        _wokenBefore = false;
    }

    private void Add(long start, long stop, Action<RunTally, long> add)
    {
        foreach (var (tally, ticks) in windows.Clip(start, stop))
        {
            if (tally.MeasuringThread == thread)
                add(tally, ticks);
        }
    }
}
