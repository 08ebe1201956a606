namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>Follows one measuring thread and adds its times to its own runs.</summary>
/// <param name="thread">The thread.</param>
/// <param name="windows">The runs of the process; those of other threads are ignored.</param>
internal sealed class MeasuringThread(long thread, RunWindows windows) : SwitchedThread
{
    /// <inheritdoc />
    public override void SwitchOut(long time, bool isPreempted)
    {
        base.SwitchOut(time, isPreempted);
        foreach (var (run, _) in windows.AllAt(time))
        {
            if (run.MeasuringThread != thread)
                continue;
            if (isPreempted)
                run.InvoluntarySwitches++;
            else
                run.VoluntarySwitches++;
        }
    }

    /// <summary>Adds a span between two clock readings.</summary>
    public void Spend(in ThreadSpan span)
    {
        Waited(span.Start, span.Readied);
        WasReady(span.Readied, span.Running);
        Ran(span.Running, span.Stop);
    }

    /// <inheritdoc />
    protected override void Ran(long start, long stop) => Add(start, stop, static (tally, ticks) => tally.OnCpuTicks += ticks);

    /// <inheritdoc />
    protected override void WasReady(long start, long stop) => Add(start, stop, static (tally, ticks) => tally.ReadyTicks += ticks);

    /// <inheritdoc />
    protected override void Waited(long start, long stop) => Add(start, stop, static (tally, ticks) => tally.WaitTicks += ticks);

    private void Add(long start, long stop, Action<RunTally, long> add)
    {
        foreach (var (tally, ticks) in windows.Clip(start, stop))
        {
            if (tally.MeasuringThread == thread)
                add(tally, ticks);
        }
    }
}
