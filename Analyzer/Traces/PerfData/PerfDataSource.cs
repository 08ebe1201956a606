using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>The records of one process in a perf.data file as a source of events.</summary>
/// <remarks>
/// A file holds a process tree; each process is a source of its own, and one pass serves several. sched_waking names only the readied
/// thread, so each source delivers these events of all processes: thread ids are unique in the system.
/// </remarks>
public sealed class PerfDataSource : ISharedTraceSource
{
    /// <summary>
    /// Name of the event whose counts (PERF_RECORD_READ) are readings of a thread's clocks: time running is its CPU time, time enabled also
    /// includes its ready time.
    /// </summary>
    public const string ClockEvent = "thread-clock";

    /// <summary>Name of the event whose counts are readings of a clock without ready time (Windows, macOS).</summary>
    public const string CpuClockEvent = "thread-cpu-clock";

    /// <summary>
    /// As <see cref="CpuClockEvent"/>, but the clock advances in steps of 10 to 16 ms. It weights samples and is too coarse for the CPU
    /// time of a run.
    /// </summary>
    public const string CpuStepsEvent = "thread-cpu-steps";

    internal const long NanosecondsPerSecond = 1_000_000_000;

    private readonly bool _reportsLosses;

    private PerfDataSource(string path, int processId, bool reportsLosses, TraceClock clock, EventKinds kinds, EventDetails details)
    {
        Name = path;
        ProcessId = processId;
        Clock = clock;
        (Kinds, Details) = (kinds, details);
        _reportsLosses = reportsLosses;
    }

    /// <summary>Whether an event's counts are readings of a thread's clock.</summary>
    internal static bool IsClock(string eventName) => eventName is ClockEvent or CpuClockEvent or CpuStepsEvent;

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

    /// <summary>Name of the recorded machine; empty when the file lacks it.</summary>
    public string MachineName { get; private init; } = "";

    /// <summary>Whether it has readings of clocks that advance in steps (<see cref="CpuStepsEvent"/>).</summary>
    internal bool HasSteppedClocks { get; private init; }

    /// <summary>Whether times are on CLOCK_MONOTONIC, like those of runtimes.</summary>
    public bool HasMonotonicClock { get; private init; }

    /// <summary>Opens the records of a process.</summary>
    /// <param name="path">The perf.data file.</param>
    /// <param name="processId">The process.</param>
    /// <param name="reportsLosses">
    /// Whether this source reports the file's losses and damage; only one of the file's sources does, so that they count once.
    /// </param>
    /// <param name="isSystemWide">Whether all processes of the machine were recorded; a process tree has no data on others.</param>
    /// <param name="isAlone">
    /// Whether no other file is read with it, so that any clock is fine. Otherwise its clock must be that of the others, CLOCK_MONOTONIC.
    /// </param>
    /// <param name="ticksPerSecond">
    /// Ticks per second of the clock of the files that are read with it. On Windows, these ticks are not ns, the unit of this format.
    /// </param>
    /// <exception cref="TraceFormatException">The file is not a perf.data file, or has an unsupported clock.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static PerfDataSource Open(
        string path,
        int processId,
        bool reportsLosses,
        bool isSystemWide = false,
        bool isAlone = false,
        long ticksPerSecond = NanosecondsPerSecond
    )
    {
        using var reader = PerfDataReader.Open(path);
        var hasMonotonicClock = reader.Events.All(item =>
            (item.Settings.Bits & PerfEventBits.UseClockId) != 0 && item.Settings.ClockId == PerfEventSettings.ClockMonotonic
        );
        if (!isAlone && !hasMonotonicClock)
            throw new TraceFormatException(
                path,
                null,
                "events on CLOCK_MONOTONIC",
                "the file's clock is not comparable with the runtime's",
                "record with esp-record, or with perf record -k CLOCK_MONOTONIC"
            );

        var (kinds, details) = (EventKinds.None, EventDetails.None);
        foreach (var item in reader.Events)
        {
            if (item.SamplesCpuTime)
                (kinds, details) = (
                    kinds | EventKinds.CpuSamples,
                    (item.Settings.Bits & PerfEventBits.ExcludeKernel) == 0 ? EventDetails.KernelSamples : details
                );
            if (item.Name is ClockEvent or CpuClockEvent)
                kinds |= EventKinds.ThreadClocks;
            if (item.Name == CpuClockEvent)
                details |= EventDetails.NoReadyTime;
            if ((item.Settings.Bits & (PerfEventBits.Mmap | PerfEventBits.Mmap2 | PerfEventBits.Comm)) != 0)
                kinds |= EventKinds.ProcessLayout;
            if ((item.Settings.Bits & PerfEventBits.ContextSwitch) != 0)
                kinds |= EventKinds.ContextSwitches;
            if (SchedWakingLayout.Create(item) is not null)
                kinds |= EventKinds.ReadyThreads;
            if (PerfDataEvents.IsSwitchWithStack(item))
                kinds |= EventKinds.SwitchOutStacks;
        }

        if (isSystemWide && (kinds & EventKinds.CpuSamples) != 0)
            kinds |= EventKinds.OtherProcesses;

        var clock = new TraceClock(0, ticksPerSecond);
        clock = clock with { OriginTicks = clock.FromNanoseconds(FirstTime(reader)) };
        return new PerfDataSource(path, processId, reportsLosses, clock, kinds, details)
        {
            MachineName = reader.Features.HostName,
            HasMonotonicClock = hasMonotonicClock,
            HasSteppedClocks = reader.Events.Any(item => item.Name == CpuStepsEvent),
        };
    }

    /// <summary>The records of another process in the same file, without opening it again.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="reportsLosses">As in <see cref="Open"/>.</param>
    public PerfDataSource OfProcess(int processId, bool reportsLosses) =>
        new(Name, processId, reportsLosses, Clock, Kinds, Details)
        {
            MachineName = MachineName,
            HasMonotonicClock = HasMonotonicClock,
            HasSteppedClocks = HasSteppedClocks,
        };

    /// <summary>Time of the first record. perf's header has that of the first sample, but switches and mappings can be earlier.</summary>
    private static long FirstTime(PerfDataReader reader)
    {
        var time = 0L;
        while (time == 0 && reader.TryRead(out var record))
            time = record.Time;
        return reader.Features.FirstTime is var ofHeader && ofHeader > 0 && (time == 0 || ofHeader < time) ? ofHeader : time;
    }

    /// <summary>The file; one pass over it serves all its processes.</summary>
    public object SharedFiles => Name;

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub) => ReadTogether([(this, hub)])[0];

    /// <inheritdoc />
    public IReadOnlyList<TraceReadResult> ReadTogether(IReadOnlyList<(ITraceSource Source, EventHub Hub)> sources)
    {
        ArgumentNullException.ThrowIfNull(sources);
        using var reader = PerfDataReader.Open(Name);
        var events = new PerfDataEvents(reader);
        var passes = sources
            .Select(item => (Source: (PerfDataSource)item.Source, Pass: new PerfDataPass(item.Source.ProcessId, item.Hub, events, Clock)))
            .ToList();
        PerfDataPass[] all = [.. passes.Select(item => item.Pass)];
        var byProcess = passes
            .GroupBy(item => item.Source.ProcessId, item => item.Pass)
            .ToDictionary(group => group.Key, group => group.ToArray());
        var samplesOfOthers = all.Where(pass => pass.WantsOtherSamples).ToArray();
        var lost = 0L;
        while (reader.TryRead(out var record))
        {
            if (Clock.TicksPerSecond != NanosecondsPerSecond)
                record = record.At(Clock.FromNanoseconds(record.Time));
            lost += record.LostCount;
            events.Read(record);
            var process = events.ProcessOf(record);
            foreach (var pass in process == PerfDataEvents.AnyProcess ? all : byProcess.GetValueOrDefault(process, []))
                pass.Read(record);
            if (samplesOfOthers.Length > 0 && record.Type == PerfRecordType.Sample && record.Event.SamplesCpuTime)
            {
                foreach (var pass in samplesOfOthers)
                    pass.ReadOther(record);
            }
        }

        var gaps = lost > 0 ? PerfDataGaps.Read(Name) : [];
        return [.. passes.Select(item => item.Source.Result(item.Pass, lost, reader.Damage) with { Gaps = gaps })];
    }

    private TraceReadResult Result(PerfDataPass pass, long lost, PerfDataDamage? found)
    {
        var damage =
            _reportsLosses && found is not null ? new TraceDamage(Name, found.Offset, new FileInfo(Name).Length, found.Reason) : null;
        return new TraceReadResult(
            pass.Events,
            _reportsLosses ? lost : 0,
            pass.Events > 0 ? pass.FirstTime : Clock.OriginTicks,
            Math.Max(pass.LastTime, Clock.OriginTicks),
            damage
        );
    }
}
