using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Events of a perf.data file with their meaning, and shared state of a pass for all processes.</summary>
internal sealed class PerfDataEvents
{
    /// <summary>A record for all processes: <see cref="ProcessOf"/>.</summary>
    public const int AnyProcess = int.MinValue;

    private readonly PerfEvent? _wakingEvent;
    private readonly PerfEvent? _switchEvent;

    /// <summary>Finds the scheduling events of a file.</summary>
    /// <param name="reader">The file.</param>
    public PerfDataEvents(PerfDataReader reader)
    {
        Features = reader.Features;
        _wakingEvent = reader.Events.FirstOrDefault(item => SchedWakingLayout.Create(item) is not null);
        Waking = _wakingEvent is null ? null : SchedWakingLayout.Create(_wakingEvent);
        _switchEvent = reader.Events.FirstOrDefault(IsSwitchWithStack);
    }

    /// <summary>The file's data on the machine.</summary>
    public PerfDataFeatures Features { get; }

    /// <summary>Field offsets of sched_waking samples; null when not recorded.</summary>
    public SchedWakingLayout? Waking { get; }

    /// <summary>Threads that ended.</summary>
    public EndedThreads Ended { get; } = new();

    /// <summary>Frames of the current sample.</summary>
    public FrameBuffer Frames { get; } = new();

    /// <summary>Whether stacks of switches are omitted at this time: the recorder throttles them when threads switch too often.</summary>
    public bool AreSwitchStacksOmitted { get; private set; }

    /// <summary>Updates the state with a record.</summary>
    public void Read(in PerfRecord record)
    {
        Ended.Read(record);
        if (record.Type is PerfRecordType.Throttle or PerfRecordType.Unthrottle && IsSwitch(record))
            AreSwitchStacksOmitted = record.Type == PerfRecordType.Throttle;
    }

    /// <summary>
    /// Whether an event occurs at a thread's switch-out, with its call chain: sched_switch, or context-switches (3) among the software
    /// events. The kernel counts both for that thread.
    /// </summary>
    public static bool IsSwitchWithStack(PerfEvent item) =>
        (item.Settings.SampleFields & PerfSampleFields.CallChain) != 0
        && (item.Settings is { Kind: PerfEventKind.Software, Config: 3 } || SchedSwitchLayout.Create(item) is not null);

    /// <summary>Whether a sample is a sched_waking event.</summary>
    public bool IsWaking(in PerfRecord sample) => _wakingEvent is not null && ReferenceEquals(sample.Event, _wakingEvent);

    /// <summary>Whether a record is of the event that has the stack of a thread at its switch-out.</summary>
    public bool IsSwitch(in PerfRecord record) => ReferenceEquals(record.Event, _switchEvent);

    /// <summary>
    /// Process of a record; <see cref="AnyProcess"/> for one that concerns all: a ready event, which names only a thread, and the kernel's
    /// mapping.
    /// </summary>
    public int ProcessOf(in PerfRecord record) =>
        record.Type switch
        {
            PerfRecordType.Sample when IsWaking(record) => AnyProcess,
            PerfRecordType.Mmap or PerfRecordType.Mmap2 => record.TryReadMapping(out var mapping) && mapping.ProcessId >= 0
                ? mapping.ProcessId
                : AnyProcess,
            PerfRecordType.Comm => record.TryReadComm(out var process, out _, out _) ? process : AnyProcess,
            PerfRecordType.Fork or PerfRecordType.Exit => record.TryReadTask(out var task) ? task.ProcessId : AnyProcess,
            PerfRecordType.Read => record.TryReadCount(out var count) ? count.ProcessId : AnyProcess,
            _ => record.Origin.ProcessId,
        };
}
