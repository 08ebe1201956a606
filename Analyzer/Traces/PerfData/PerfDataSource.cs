using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>The records of one process in a perf.data file as a source of events.</summary>
/// <remarks>
/// A file holds a process tree; each process is a source of its own. Wakings name the woken thread only, so those of all processes come through: thread
/// ids are unique in the system.
/// </remarks>
public sealed class PerfDataSource : ITraceSource
{
    /// <summary>Name of the event whose counts (PERF_RECORD_READ) are readings of a thread's clocks: time running is its CPU time, time enabled its ready time, too.</summary>
    public const string ClockEvent = "thread-clock";

    private readonly bool _reportsLosses;

    private PerfDataSource(string path, int processId, bool reportsLosses, TraceClock clock, EventKinds kinds, EventDetails details)
    {
        Name = path;
        ProcessId = processId;
        Clock = clock;
        (Kinds, Details) = (kinds, details);
        _reportsLosses = reportsLosses;
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <inheritdoc />
    public TraceClock Clock { get; }

    /// <inheritdoc />
    public int ProcessId { get; }

    /// <inheritdoc />
    public EventKinds Kinds { get; }

    /// <inheritdoc />
    public EventDetails Details { get; }

    /// <summary>Name of the machine that was recorded; empty when the file does not say.</summary>
    public string MachineName { get; private init; } = "";

    /// <summary>Opens the records of a process.</summary>
    /// <param name="path">The perf.data file.</param>
    /// <param name="processId">The process.</param>
    /// <param name="reportsLosses">Whether this source reports the file's losses and damage: one of its sources does, so that they are counted once.</param>
    /// <param name="isSystemWide">Whether all processes of the machine were recorded; of a process tree the file says nothing about others.</param>
    /// <param name="isAlone">Whether no other file is read with it: then its clock may be any. With others it must be theirs, CLOCK_MONOTONIC.</param>
    /// <exception cref="TraceFormatException">It is no perf.data file, or its clock is another one.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PerfDataSource Open(string path, int processId, bool reportsLosses, bool isSystemWide = false, bool isAlone = false)
    {
        using var reader = PerfDataReader.Open(path);
        if (!isAlone && reader.Events.Any(item => (item.Settings.Bits & PerfEventBits.UseClockId) == 0 || item.Settings.ClockId != PerfEventSettings.ClockMonotonic))
            throw new TraceFormatException(path, null, "events on CLOCK_MONOTONIC", "their times cannot be compared with the runtime's", "record with esp-record, or with perf record -k CLOCK_MONOTONIC");

        var (kinds, details) = (EventKinds.None, EventDetails.None);
        foreach (var item in reader.Events)
        {
            if (item.SamplesCpuTime)
                (kinds, details) = (kinds | EventKinds.CpuSamples, (item.Settings.Bits & PerfEventBits.ExcludeKernel) == 0 ? EventDetails.KernelSamples : details);
            if (item.Name == ClockEvent)
                kinds |= EventKinds.ThreadClocks;
            if ((item.Settings.Bits & (PerfEventBits.Mmap | PerfEventBits.Mmap2 | PerfEventBits.Comm)) != 0)
                kinds |= EventKinds.ProcessLayout;
            if ((item.Settings.Bits & PerfEventBits.ContextSwitch) != 0)
                kinds |= EventKinds.ContextSwitches;
            if (SchedWakingLayout.Create(item) is not null)
                kinds |= EventKinds.ReadyThreads;
            if (IsSwitchWithStack(item))
                kinds |= EventKinds.SwitchOutStacks;
        }

        if (isSystemWide && (kinds & EventKinds.CpuSamples) != 0)
            kinds |= EventKinds.OtherProcesses;

        return new PerfDataSource(path, processId, reportsLosses, new TraceClock(FirstTime(reader), 1_000_000_000), kinds, details) { MachineName = reader.Features.HostName };
    }

    /// <summary>Time of the first record. perf's header has that of the first sample: switches and mappings can be earlier.</summary>
    private static long FirstTime(PerfDataReader reader)
    {
        var time = 0L;
        while (time == 0 && reader.TryRead(out var record))
            time = record.Time;
        return reader.Features.FirstTime is var ofHeader && ofHeader > 0 && (time == 0 || ofHeader < time) ? ofHeader : time;
    }

    /// <summary>Whether an event is hit where a thread leaves its processor, with its call chain: sched_switch, or context-switches (3) among the software events. The kernel counts both for that thread.</summary>
    internal static bool IsSwitchWithStack(PerfEvent item) =>
        (item.Settings.SampleFields & PerfSampleFields.CallChain) != 0 && (item.Settings is { Kind: PerfEventKind.Software, Config: 3 } || SchedSwitchLayout.Create(item) is not null);

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub)
    {
        ArgumentNullException.ThrowIfNull(hub);
        using var reader = PerfDataReader.Open(Name);
        var waking = reader.Events.Select(SchedWakingLayout.Create).FirstOrDefault(layout => layout is not null);
        var wakingEvent = reader.Events.FirstOrDefault(item => SchedWakingLayout.Create(item) is not null);
        var switchEvent = reader.Events.FirstOrDefault(IsSwitchWithStack);
        var frames = new FrameBuffer();
        var ended = new EndedThreads();
        var layout = new LayoutRecords(ProcessId, reader.Features);
        long events = 0, lost = 0, first = 0, last = 0;
        while (reader.TryRead(out var record))
        {
            lost += record.LostCount;
            ended.Read(record);
            switch (record.Type)
            {
                case PerfRecordType.Switch or PerfRecordType.SwitchCpuWide:
                    {
                        var origin = record.Origin;
                        if (origin.ProcessId != ProcessId || origin.ThreadId < 0)
                            continue; // -1: the last switch-out of a thread that has ended
                        Count(record.Time);
                        var at = new EventAt(record.Time, ProcessId, origin.ThreadId);
                        if (record.IsSwitchOut)
                            hub.Publish(new SwitchedOut(at, record.IsPreempted));
                        else
                            hub.Publish(new SwitchedIn(at));
                        break;
                    }

                case PerfRecordType.Exit when hub.Wants<ThreadEnded>() && record.TryReadTask(out var task) && task.ProcessId == ProcessId:
                    hub.Publish(new ThreadEnded(new EventAt(record.Time, ProcessId, task.ThreadId)));
                    break;

                case PerfRecordType.Read when record.Event.Name == ClockEvent && record.TryReadCount(out var count) && count.ProcessId == ProcessId:
                    Count(record.Time);
                    hub.Publish(new ThreadClock(new EventAt(record.Time, ProcessId, count.ThreadId), count.RunningTime, count.EnabledTime - count.RunningTime));
                    break;

                case PerfRecordType.Sample when waking is not null && ReferenceEquals(record.Event, wakingEvent):
                    if (hub.Wants<ThreadReadied>() && record.TryReadSample(out var hit) && waking.TryRead(hit.Raw, out var thread, out _))
                    {
                        var waker = record.Origin;
                        hub.Publish(new ThreadReadied(new EventAt(record.Time, ProcessId, thread), waker.ProcessId == ProcessId ? waker.ThreadId : null));
                    }

                    break;

                case PerfRecordType.Sample when hub.Wants<SwitchOutStack>() && ReferenceEquals(record.Event, switchEvent):
                    if (record.Origin.ProcessId == ProcessId && record.TryReadSample(out var leaving))
                    {
                        var stack = frames.Read(leaving, leaving.ThreadId);
                        hub.Publish(new SwitchOutStack { At = stack.At, Frames = stack.Frames, KernelFrames = stack.KernelFrames, Dump = stack.Dump });
                    }

                    break;

                case PerfRecordType.Sample when record.Event.SamplesCpuTime && record.Origin is { } origin && origin.ProcessId == ProcessId && ended.ThreadOf(origin) is >= 0 and var sampled:
                    Count(record.Time);
                    if (hub.Wants<CpuSample>() && record.TryReadSample(out var sample))
                        hub.Publish(frames.Read(sample, sampled));
                    break;

                // 0: the processor was idle. Below: the last thread of a process is taken down.
                case PerfRecordType.Sample when hub.Wants<OtherProcessSample>() && record.Event.SamplesCpuTime && record.Origin is { ProcessId: > 0 } other && other.ProcessId != ProcessId:
                    if (ended.ThreadOf(other) is >= 0 and var running && record.TryReadSample(out var foreign))
                        hub.Publish(new OtherProcessSample(new EventAt(record.Time, other.ProcessId, running), foreign.CpuTicks));
                    break;

                case PerfRecordType.Mmap or PerfRecordType.Mmap2 or PerfRecordType.Comm or PerfRecordType.Fork when (hub.Wanted & EventKinds.ProcessLayout) != 0:
                    layout.Read(record, hub);
                    break;
            }
        }

        var damage = _reportsLosses && reader.Damage is { } found ? new TraceDamage(Name, found.Offset, new FileInfo(Name).Length, found.Reason) : null;
        return new TraceReadResult(events, _reportsLosses ? lost : 0, events > 0 ? first : Clock.OriginTicks, Math.Max(last, Clock.OriginTicks), damage);

        void Count(long time)
        {
            if (events++ == 0)
                first = time;
            last = Math.Max(last, time);
        }
    }
}
