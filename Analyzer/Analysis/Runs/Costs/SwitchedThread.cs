namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// Follows one thread by its context switches: at every moment it is on a processor, waiting or ready. Time that the records do not cover (before the first one, around a lost one) is none of
/// these.
/// </summary>
internal abstract class SwitchedThread
{
    private State _state;

    /// <summary>Since when the state holds.</summary>
    private long _since;

    /// <summary>When the thread was readied first since it left its processor.</summary>
    private long? _readied;

    /// <summary>
    /// The thread was readied while it was on its processor. If it leaves to wait all the same and is not readied again, this ended the wait before it began: the thread was on its way out.
    /// </summary>
    private bool _readiedBefore;

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
    public virtual void Leave(long time, bool isPreempted)
    {
        var readiedBefore = _state == State.Running && _readiedBefore;

        // Off its processor already: its switch-in was lost, and when it came is not known.
        if (_state == State.Running)
            Close(time);
        Enter(isPreempted ? State.Preempted : State.Waiting, time);
        _readiedBefore = readiedBefore;
    }

    /// <summary>The thread was readied.</summary>
    public void Ready(long time)
    {
        if (_state == State.Running)
            _readiedBefore = true;
        else
            _readied ??= time;
    }

    /// <summary>What the thread did last, it did up to now: it does something else, has ended, or the trace has.</summary>
    public void Close(long time)
    {
        switch (_state)
        {
            case State.Running:
                Ran(_since, time);
                break;
            case State.Preempted:
                WasReady(_since, time);
                break;
            case State.Waiting:
                var ready = _readied ?? (_readiedBefore ? _since : time);
                Waited(_since, ready);
                WasReady(ready, time);
                break;
        }

        Enter(State.Unknown, time);
    }

    /// <summary>The thread was on a processor; the span may lie outside of runs, here and below.</summary>
    protected abstract void Ran(long start, long stop);

    /// <summary>The thread could have run and had no processor.</summary>
    protected abstract void WasReady(long start, long stop);

    /// <summary>The thread has waited.</summary>
    protected abstract void Waited(long start, long stop);

    private void Enter(State state, long time)
    {
        _state = state;
        _since = time;
        _readied = null;
        _readiedBefore = false;
    }
}
