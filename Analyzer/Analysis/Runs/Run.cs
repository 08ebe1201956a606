using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>One run and what it cost. A value that was not recorded is null, never 0.</summary>
public sealed record Run
{
    /// <summary>Process that ran it, told apart from those of other recordings.</summary>
    public required ProcessKey Process { get; init; }

    /// <summary>Its process id.</summary>
    public int ProcessId => Process.ProcessId;

    /// <summary>Runtime that ran it: the label of its recording among several, else the runtime's version; empty when unknown.</summary>
    public string Runtime { get; init; } = "";

    /// <summary>Whether other runs of the same result ran on other runtimes.</summary>
    public bool IsOneOfSeveralRuntimes { get; init; }

    /// <summary>Number of the run in its process, from 1.</summary>
    public required int RunId { get; init; }

    /// <summary>Names the run.</summary>
    public required RunIdentity Identity { get; init; }

    /// <summary>Times the operation was made in the run: 1, but in an iteration of BenchmarkDotNet. All numbers of the run are those of its whole window.</summary>
    public long Operations { get; init; } = 1;

    /// <summary>Operating-system thread that measured the run (it wrote the run's marks, or the samples say so: <see cref="SerializerNamer"/>); null when the trace does not tell.</summary>
    public long? MeasuringThread { get; init; }

    /// <summary>What begin and end were taken from.</summary>
    public required DelimiterKind Delimiter { get; init; }

    /// <summary>Begin in ticks of the trace's clock.</summary>
    public required long StartTicks { get; init; }

    /// <summary>End in ticks of the trace's clock.</summary>
    public required long StopTicks { get; init; }

    /// <summary>Start and stop of the program's own clock in ticks of the trace's clock; null when the program did not tell them in it.</summary>
    public (long Start, long Stop)? OwnClock { get; init; }

    /// <summary>Begin in ms since the process's trace began.</summary>
    public required double StartMs { get; init; }

    /// <summary>End in ms since the process's trace began.</summary>
    public required double StopMs { get; init; }

    /// <summary>
    /// Time from the launch of the run's process to the start of the run's clock, in ms, by the launcher's and the program's own reading of one clock; null
    /// when no launcher told, and for other runs than the process's first.
    /// </summary>
    public double? LaunchMs { get; init; }

    /// <summary>Wall time in ms: end - begin.</summary>
    public required double WallMs { get; init; }

    /// <summary>Begin minus the program's own, in µs.</summary>
    public double? StartDifferenceUs { get; init; }

    /// <summary>End minus the program's own, in µs.</summary>
    public double? StopDifferenceUs { get; init; }

    /// <summary>Wall time minus the program's own, in µs.</summary>
    public double? DurationDifferenceUs { get; init; }

    /// <summary>Length of the marker's wait minus the program's own wall time, in µs.</summary>
    public double? MarkerDurationDifferenceUs { get; init; }

    /// <summary>Larger of the distances between the marker's wait and the marks at begin and end, in µs.</summary>
    public double? MarkerMarksDifferenceUs { get; init; }

    /// <summary>Collections that began in the run, by generation (exclusive).</summary>
    public CollectionCounts? Collections { get; init; }

    /// <summary>Collections by the program's own count.</summary>
    public CollectionCounts? TruthCollections { get; init; }

    /// <summary>Time in the run's window in which a collection kept the program's threads suspended, in ms.</summary>
    public double? PauseTotalMs { get; init; }

    /// <summary>Longest such pause, in ms.</summary>
    public double? PauseMaxMs { get; init; }

    /// <summary>Bytes allocated by all threads of the process.</summary>
    public double? AllocatedBytes { get; init; }

    /// <summary>What <see cref="AllocatedBytes"/> was taken from.</summary>
    public AllocationSource? AllocatedBytesSource { get; init; }

    /// <summary>Bytes allocated as the trace's events estimate them, to be compared with the exact number.</summary>
    public double? AllocatedBytesByEvents { get; init; }

    /// <summary>What <see cref="AllocatedBytesByEvents"/> was taken from.</summary>
    public AllocationSource? AllocatedBytesByEventsSource { get; init; }

    /// <summary>Methods whose compilation ended in the run, on any thread of the process.</summary>
    public long? JitMethods { get; init; }

    /// <summary>Time of compilation in the run's window, summed over threads, in ms.</summary>
    public double? JitMs { get; init; }

    /// <summary>How long the run stood still while a dump of its process was written, in ms; null when none was.</summary>
    public double? DumpMs { get; init; }

    /// <summary>Exceptions thrown.</summary>
    public long? Exceptions { get; init; }

    /// <summary>Times a thread began to wait for a managed lock.</summary>
    public long? Contentions { get; init; }

    /// <summary>Time waited for managed locks in the run's window, summed over threads, in ms.</summary>
    public double? ContentionMs { get; init; }

    /// <summary>CPU time of the measuring thread by its own clock, in ms.</summary>
    public double? ThreadCpuMs { get; init; }

    /// <summary>CPU time of the process by the kernel's switch records, in ms.</summary>
    public double? CpuMs { get; init; }

    /// <summary>How much of it was on threads of the garbage collector, in ms.</summary>
    public double? CollectorCpuMs { get; init; }

    /// <summary>How much of it was on threads of the JIT compiler, in ms.</summary>
    public double? CompilerCpuMs { get; init; }

    /// <summary>What the measuring thread did, by its switches; null when they do not tell it for all of the window.</summary>
    public MeasuringTimes? Measuring { get; init; }

    /// <summary>CPU samples in the window.</summary>
    public RunSamples? Samples { get; init; }

    /// <summary>CPU time by cause, from the samples; null when they or the names of methods were not recorded.</summary>
    public CauseTimes? Causes { get; init; }

    /// <summary>
    /// CPU time of the process without samples, in ms: kernel mode where the session may not sample it, and what chance makes of the rest (± √samples periods).
    /// </summary>
    public double? UnsampledCpuMs => CpuMs - Samples?.CpuMs;

    /// <summary>Time of the machine's speed probe (<see cref="SpeedProbe"/>) just before the run, in ns.</summary>
    public double? ProbeBeforeNs { get; init; }

    /// <summary>The same just after the run, in ns.</summary>
    public double? ProbeAfterNs { get; init; }

    /// <summary>Least of the probes of all runs of the process, in ns: the machine at its fastest. Other processes' may not be compared with them, their runtime being another.</summary>
    public double? BestProbeNs { get; init; }

    /// <summary>How much longer than <see cref="BestProbeNs"/> the slower of the run's two probes took, in %.</summary>
    public double? SlowPercent => BestProbeNs > 0 && ProbeBeforeNs is { } before && ProbeAfterNs is { } after ? ((Math.Max(before, after) / BestProbeNs) - 1) * 100 : null;

    /// <summary>Size of the serialized data in bytes.</summary>
    public long? DataBytes { get; init; }

    /// <summary>Exception that ended the run, empty when it completed.</summary>
    public string Error { get; init; } = "";

    /// <summary>Pause as a share of the window, in %.</summary>
    public double? PausePercent => WallMs > 0 ? PauseTotalMs / WallMs * 100 : null;
}
