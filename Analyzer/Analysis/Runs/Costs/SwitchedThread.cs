namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// Follows one thread by its context switches: at every moment it is on a processor, waiting or ready. Time that the records do not cover
/// (before the first one, around a lost one) belongs to none of these.
/// </summary>
internal abstract class SwitchedThread
{
    private State _state;

    /// <summary>Start of the current state.</summary>
    private long _since;

    /// <summary>Time at which the thread was first readied after its switch-out.</summary>
    private long? _readied;

    /// <summary>
    /// The thread was readied while on its processor. If it is switched out to wait anyway and not readied again, this ended the wait
    /// before it began: the thread was about to be switched out.
    /// </summary>
    private bool _readiedBefore;

    private enum State
    {
        Unknown,
        Running,
        Waiting,
        Preempted,
    }

    /// <summary>The thread was switched in.</summary>
    public void SwitchIn(long time)
    {
        // Already on a processor: its switch-out was lost, so its time is unknown.
        if (_state != State.Running)
            Close(time);
        Enter(State.Running, time);
    }

    /// <summary>The thread was switched out.</summary>
    public virtual void SwitchOut(long time, bool isPreempted)
    {
        var readiedBefore = _state == State.Running && _readiedBefore;

        // Already off its processor: its switch-in was lost, so its time is unknown.
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

    /// <summary>Counts the current state up to a time at which the thread changes its state or ended, or the trace ended.</summary>
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

    /// <summary>The thread was on a processor; here and below, the span may be outside of runs.</summary>
    protected abstract void Ran(long start, long stop);

    /// <summary>The thread was ready without a processor.</summary>
    protected abstract void WasReady(long start, long stop);

    /// <summary>The thread waited.</summary>
    protected abstract void Waited(long start, long stop);

    private void Enter(State state, long time)
    {
        _state = state;
        _since = time;
        _readied = null;
        _readiedBefore = false;
    }
}
