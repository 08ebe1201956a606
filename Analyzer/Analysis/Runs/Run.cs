using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Measures;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Analysis.Runs.SerializerTests;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>One run with its costs. A value that was not recorded is null, never 0.</summary>
public sealed record Run
{
    /// <summary>Process of the run, distinguished from those of other recordings.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>
    /// Runtime of the run: the label of its recording if there are several, else the runtime's version; empty when unknown.
    /// </summary>
    public string Runtime { get; init; } = "";

    /// <summary>Whether other runs of the same result ran on other runtimes.</summary>
    public bool IsOneOfSeveralRuntimes { get; init; }

    /// <summary>Number of the run in its process, from 1.</summary>
    public required int RunId { get; init; }

    /// <summary>Identity of the run.</summary>
    public required RunIdentity Identity { get; init; }

    /// <summary>
    /// Number of operations in the run: 1, except in an iteration of BenchmarkDotNet. All numbers of the run are for its whole window.
    /// </summary>
    public long Operations { get; init; } = 1;

    /// <summary>
    /// Operating-system thread that measured the run (the one that wrote its marks, or found by samples: <see cref="SerializerNamer"/>);
    /// null when unknown.
    /// </summary>
    public long? MeasuringThread { get; init; }

    /// <summary>Delimiter of start and stop.</summary>
    public required RunDelimiter Delimiter { get; init; }

    /// <summary>Start in ticks of the trace's clock.</summary>
    public required long StartTicks { get; init; }

    /// <summary>End in ticks of the trace's clock.</summary>
    public required long StopTicks { get; init; }

    /// <summary>
    /// Start and stop of the program's own clock in ticks of the trace's clock; null when the program did not report them in it.
    /// </summary>
    public (long Start, long Stop)? OwnClock { get; init; }

    /// <summary>Start in ms since the start of the process's trace.</summary>
    public required double StartMs { get; init; }

    /// <summary>End in ms since the start of the process's trace.</summary>
    public required double StopMs { get; init; }

    /// <summary>
    /// Time from the launch of the run's process to the start of the run's clock, in ms, by the launcher's and the program's readings of
    /// one clock; null when no launcher reported it, and for runs other than the process's first.
    /// </summary>
    public double? LaunchMs { get; init; }

    /// <summary>Wall time in ms: stop - start.</summary>
    public required double WallMs { get; init; }

    /// <summary>
    /// Measured values. <see cref="RunMeasures"/> declares the measures; the properties below are those that analyses use.
    /// </summary>
    public MeasureValues Values { get; init; }

    /// <summary>Start minus the program's own start, in µs.</summary>
    public double? StartDifferenceUs => Values.Of(WallMeasures.StartDifference);

    /// <summary>Stop minus the program's own stop, in µs.</summary>
    public double? StopDifferenceUs => Values.Of(WallMeasures.StopDifference);

    /// <summary>Wall time minus the program's own wall time, in µs.</summary>
    public double? DurationDifferenceUs => Values.Of(WallMeasures.DurationDifference);

    /// <summary>Length of the marker's wait minus the program's own wall time, in µs.</summary>
    public double? MarkerDurationDifferenceUs => Values.Of(WallMeasures.MarkerDurationDifference);

    /// <summary>Larger of the differences between the marker's wait and the marks at start and stop, in µs.</summary>
    public double? MarkerMarksDifferenceUs => Values.Of(WallMeasures.MarkerMarksDifference);

    /// <summary>Number of GCs that began in the run, by generation (exclusive).</summary>
    public GcCounts? Gcs
    {
        get =>
            Values.Of(GcMeasures.Gen0) is { } gen0
                ? new GcCounts(gen0, Values.Of(GcMeasures.Gen1)!.Value, Values.Of(GcMeasures.Gen2)!.Value)
                : null;
        init => Values = Values.With(GcMeasures.Gen0, value?.Gen0).With(GcMeasures.Gen1, value?.Gen1).With(GcMeasures.Gen2, value?.Gen2);
    }

    /// <summary>Number of GCs by the program's own count.</summary>
    public GcCounts? OwnGcs =>
        Values.Of(GcMeasures.OwnGen0) is { } gen0
            ? new GcCounts(gen0, Values.Of(GcMeasures.OwnGen1)!.Value, Values.Of(GcMeasures.OwnGen2)!.Value)
            : null;

    /// <summary>Time in the run's window in which GCs kept the program's threads suspended, in ms.</summary>
    public double? PauseTotalMs
    {
        get => Values.Of(GcMeasures.Pause);
        init => Values = Values.With(GcMeasures.Pause, value);
    }

    /// <summary>Longest GC pause, in ms.</summary>
    public double? PauseMaxMs
    {
        get => Values.Of(GcMeasures.MaxPause);
        init => Values = Values.With(GcMeasures.MaxPause, value);
    }

    /// <summary>Bytes allocated by all threads of the process.</summary>
    public double? AllocatedBytes
    {
        get => Values.Of(AllocationMeasures.Bytes);
        init => Values = Values.With(AllocationMeasures.Bytes, value);
    }

    /// <summary>Source of <see cref="AllocatedBytes"/>.</summary>
    public AllocationSource? AllocatedBytesSource
    {
        get => Values.Of(AllocationMeasures.Source);
        init => Values = Values.With(AllocationMeasures.Source, value);
    }

    /// <summary>Number of methods whose compilation ended in the run, on any thread of the process.</summary>
    public long? JitMethods => Values.Of(JitMeasures.Methods);

    /// <summary>Compilation time in the run's window, summed over threads, in ms.</summary>
    public double? JitMs
    {
        get => Values.Of(JitMeasures.Time);
        init => Values = Values.With(JitMeasures.Time, value);
    }

    /// <summary>Time that the run was paused while a dump of its process was written, in ms; null when there was no dump.</summary>
    public double? DumpMs
    {
        get => Values.Of(MachineMeasures.Dump);
        init => Values = Values.With(MachineMeasures.Dump, value);
    }

    /// <summary>Time of the run in which events were lost, in ms; null when none were, or when the trace does not say when.</summary>
    public double? GapMs { get; init; }

    /// <summary>Whether the run was not paused by a dump and lost no events.</summary>
    public bool IsWhole => DumpMs is null && GapMs is null;

    /// <summary>Number of exceptions thrown.</summary>
    public long? Exceptions
    {
        get => Values.Of(ExceptionMeasures.Thrown);
        init => Values = Values.With(ExceptionMeasures.Thrown, value);
    }

    /// <summary>Number of times that a thread began to wait for a managed lock.</summary>
    public long? Contentions
    {
        get => Values.Of(LockMeasures.Count);
        init => Values = Values.With(LockMeasures.Count, value);
    }

    /// <summary>Waiting time for managed locks in the run's window, summed over threads, in ms.</summary>
    public double? ContentionMs
    {
        get => Values.Of(LockMeasures.Time);
        init => Values = Values.With(LockMeasures.Time, value);
    }

    /// <summary>CPU time of the process by the kernel's switch records, in ms.</summary>
    public double? CpuMs
    {
        get => Values.Of(CpuMeasures.Process);
        init => Values = Values.With(CpuMeasures.Process, value);
    }

    /// <summary>
    /// Activity of the measuring thread, by its switches or clocks; null when they do not cover the whole window, or lack ready time.
    /// </summary>
    public MeasuringTimes? Measuring
    {
        get =>
            Values.Of(SchedulingMeasures.OnCpu) is { } onCpu && Values.Of(SchedulingMeasures.Wait) is { } wait
                ? new MeasuringTimes(
                    onCpu,
                    wait,
                    Values.Of(SchedulingMeasures.Ready)!.Value,
                    Values.Of(SchedulingMeasures.Source)!.Value,
                    Values.Of(SchedulingMeasures.Waits),
                    Values.Of(SchedulingMeasures.Preemptions)
                )
                : null;
        init =>
            Values = Values
                .With(SchedulingMeasures.OnCpu, value?.OnCpuMs)
                .With(SchedulingMeasures.Wait, value?.WaitMs)
                .With(SchedulingMeasures.Ready, value?.ReadyMs)
                .With(SchedulingMeasures.Source, value?.ReadySource)
                .With(SchedulingMeasures.Waits, value?.VoluntarySwitches)
                .With(SchedulingMeasures.Preemptions, value?.InvoluntarySwitches);
    }

    /// <summary>CPU samples in the window.</summary>
    public RunSamples? Samples
    {
        get =>
            Values.Of(SampleMeasures.Count) is { } count
                ? new RunSamples(
                    count,
                    Values.Of(SampleMeasures.Cpu)!.Value,
                    Values.Of(SampleMeasures.KernelCount),
                    Values.Of(SampleMeasures.BrokenCount)!.Value
                )
                : null;
        init =>
            Values = Values
                .With(SampleMeasures.Count, value?.Count)
                .With(SampleMeasures.Cpu, value?.CpuMs)
                .With(SampleMeasures.KernelCount, value?.KernelCount)
                .With(SampleMeasures.BrokenCount, value?.BrokenStacks);
    }

    /// <summary>CPU time by cause, from the samples; null when samples or method names were not recorded.</summary>
    public CauseTimes? Causes { get; init; }

    /// <summary>Time of the machine's speed probe (<see cref="SpeedProbe"/>) just before the run, in ns.</summary>
    public double? ProbeBeforeNs
    {
        get => Values.Of(MachineMeasures.ProbeBefore);
        init => Values = Values.With(MachineMeasures.ProbeBefore, value);
    }

    /// <summary>Time of the speed probe just after the run, in ns.</summary>
    public double? ProbeAfterNs
    {
        get => Values.Of(MachineMeasures.ProbeAfter);
        init => Values = Values.With(MachineMeasures.ProbeAfter, value);
    }

    /// <summary>
    /// Shortest probe of all runs of the process, in ns: the machine at its fastest. Probes of other processes are not comparable, because
    /// their runtime differs.
    /// </summary>
    public double? BestProbeNs
    {
        get => Values.Of(MachineMeasures.BestProbe);
        init => Values = Values.With(MachineMeasures.BestProbe, value);
    }

    /// <summary>How much longer than <see cref="BestProbeNs"/> the slower of the run's two probes took, in %.</summary>
    public double? SlowPercent =>
        BestProbeNs > 0 && ProbeBeforeNs is { } before && ProbeAfterNs is { } after
            ? ((Math.Max(before, after) / BestProbeNs) - 1) * 100
            : null;

    /// <summary>Size of the serialized data in bytes.</summary>
    public long? DataBytes => Values.Of(DataMeasures.Bytes);

    /// <summary>Exception that ended the run; empty when it completed.</summary>
    public string Error { get; init; } = "";

    /// <summary>Pause as a share of the window, in %.</summary>
    public double? PausePercent => WallMs > 0 ? PauseTotalMs / WallMs * 100 : null;
}
