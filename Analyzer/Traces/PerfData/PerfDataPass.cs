using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Publishes the records of a perf.data file for one process.</summary>
/// <param name="processId">The process.</param>
/// <param name="hub">Receives the events.</param>
/// <param name="events">The events of the file.</param>
/// <param name="clock">Clock of the published times.</param>
internal sealed class PerfDataPass(int processId, EventHub hub, PerfDataEvents events, TraceClock clock)
{
    private readonly LayoutRecords _layout = new(processId, events.Features);

    /// <summary>Number of events of the process: switches, CPU samples, readings of its threads' clocks.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first event.</summary>
    public long FirstTime { get; private set; }

    /// <summary>Time of the last event.</summary>
    public long LastTime { get; private set; }

    /// <summary>Whether CPU samples of other processes are wanted.</summary>
    public bool WantsOtherSamples { get; } = hub.Wants<OtherProcessSample>();

    /// <summary>Publishes a record of this process, or of all processes (<see cref="PerfDataEvents.ProcessOf"/>).</summary>
    public void Read(in PerfRecord record)
    {
        switch (record.Type)
        {
            // -1: the last switch-out of an ended thread.
            case PerfRecordType.Switch or PerfRecordType.SwitchCpuWide when record.Origin is { ThreadId: >= 0 } origin:
                Count(record.Time);
                var at = new EventAt(record.Time, processId, origin.ThreadId);
                if (record.IsSwitchOut)
                    hub.Publish(new SwitchedOut(at, record.IsPreempted) { IsStackOmitted = events.AreSwitchStacksOmitted });
                else
                    hub.Publish(new SwitchedIn(at));
                break;

            case PerfRecordType.Exit when hub.Wants<ThreadEnded>() && record.TryReadTask(out var task):
                hub.Publish(new ThreadEnded(new EventAt(record.Time, processId, task.ThreadId)));
                break;

            case PerfRecordType.Read when PerfDataSource.IsClock(record.Event.Name) && record.TryReadCount(out var count):
                Count(record.Time);
                var (cpu, ready) = (clock.FromNanoseconds(count.RunningTime), clock.FromNanoseconds(count.EnabledTime - count.RunningTime));
                hub.Publish(new ThreadClock(new EventAt(record.Time, processId, count.ThreadId), cpu, ready));
                break;

            case PerfRecordType.Sample:
                ReadSample(record);
                break;

            case PerfRecordType.Mmap
            or PerfRecordType.Mmap2
            or PerfRecordType.Comm
            or PerfRecordType.Fork when (hub.Wanted & EventKinds.ProcessLayout) != 0:
                _layout.Read(record, hub);
                break;
        }
    }

    /// <summary>Publishes the CPU sample of another process.</summary>
    public void ReadOther(in PerfRecord record)
    {
        // 0: the processor was idle. Below 0: teardown of a process's last thread.
        if (
            record.Origin is { ProcessId: > 0 } other
            && other.ProcessId != processId
            && events.Ended.ThreadOf(other) is >= 0 and var thread
            && record.TryReadSample(out var sample)
        )
            hub.Publish(new OtherProcessSample(new EventAt(record.Time, other.ProcessId, thread), sample.CpuTicks));
    }

    private void ReadSample(in PerfRecord record)
    {
        if (events.IsWaking(record))
        {
            if (hub.Wants<ThreadReadied>() && record.TryReadSample(out var hit) && events.Waking!.TryRead(hit.Raw, out var thread, out _))
            {
                var waker = record.Origin;
                hub.Publish(
                    new ThreadReadied(new EventAt(record.Time, processId, thread), waker.ProcessId == processId ? waker.ThreadId : null)
                );
            }
        }
        else if (hub.Wants<SwitchOutStack>() && events.IsSwitch(record))
        {
            if (record.TryReadSample(out var leaving))
            {
                var stack = events.Frames.Read(leaving, leaving.ThreadId);
                hub.Publish(
                    new SwitchOutStack
                    {
                        At = stack.At,
                        Frames = stack.Frames,
                        KernelFrames = stack.KernelFrames,
                        Dump = stack.Dump,
                    }
                );
            }
        }
        else if (record.Event.SamplesCpuTime && events.Ended.ThreadOf(record.Origin) is >= 0 and var sampled)
        {
            Count(record.Time);
            if (hub.Wants<CpuSample>() && record.TryReadSample(out var sample))
                hub.Publish(events.Frames.Read(sample, sampled));
        }
    }

    private void Count(long time)
    {
        if (Events++ == 0)
            FirstTime = time;
        LastTime = Math.Max(LastTime, time);
    }
}
