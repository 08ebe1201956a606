namespace EtwSerializerProfiler.Marks;

/// <summary>
/// Self-measurement of a run, which the program reads outside the run's clock. Every table is checked against it.
/// </summary>
/// <param name="StartTicks">
/// Clock at the start, in ticks of <see cref="System.Diagnostics.Stopwatch"/>: on Linux CLOCK_MONOTONIC in nanoseconds, the clock of
/// EventPipe and perf events; on Windows QueryPerformanceCounter, the clock of ETW.
/// </param>
/// <param name="StopTicks">Clock at the end, same unit.</param>
/// <param name="TicksPerSecond">Ticks of that clock in one second.</param>
/// <param name="ThreadCpuNanoseconds">
/// CPU time (user + kernel) of the measuring thread between the two in ns; -1 when the system does not provide it.
/// </param>
/// <param name="AllocatedBytes">
/// Difference of <c>GC.GetTotalAllocatedBytes(precise: true)</c> for all threads of the process, in bytes; -1 when the runtime has no such
/// counter (Mono).
/// </param>
/// <param name="Gen0">Number of generation-0 GCs, without those of higher generations.</param>
/// <param name="Gen1">Number of generation-1 GCs, without generation 2.</param>
/// <param name="Gen2">Number of generation-2 GCs, blocking and background.</param>
/// <param name="DataBytes">Size of the serialized data in bytes; -1 when the operation has none.</param>
/// <param name="Error">The error that ended the run, formatted by <see cref="RunError.Of"/>; empty when it completed.</param>
public readonly record struct RunMeasurement(
    long StartTicks,
    long StopTicks,
    long TicksPerSecond,
    long ThreadCpuNanoseconds,
    long AllocatedBytes,
    int Gen0,
    int Gen1,
    int Gen2,
    long DataBytes,
    string Error
)
{
    /// <summary>Value of a size that is not known.</summary>
    public const long Unknown = -1;

    /// <summary>
    /// Launch time of the run's process in ticks of the same clock, read by its launcher just before; -1 when unknown. Only for the first
    /// run of a process.
    /// </summary>
    public long LaunchedTicks { get; init; } = -1;

    /// <summary>
    /// Time of <see cref="SpeedProbe"/> just before the run in ns; -1 when it was not read. Only in the run CSV, not in the events.
    /// </summary>
    public long ProbeBeforeNanoseconds { get; init; } = SpeedProbe.NotRead;

    /// <summary>Time of <see cref="SpeedProbe"/> just after the run in ns; -1 when it was not read.</summary>
    public long ProbeAfterNanoseconds { get; init; } = SpeedProbe.NotRead;

    /// <summary>
    /// Largest working set of the process from its start to the end of the run, in bytes; -1 when unknown, or when the process measured
    /// several serializers and the value is not that of one. Only in the run CSV.
    /// </summary>
    public long PeakWorkingSetBytes { get; init; } = Unknown;

    /// <summary>Size of the program's files in bytes; -1 when unknown. Only in the run CSV.</summary>
    public long ProgramBytes { get; init; } = Unknown;

    /// <summary>
    /// Number of methods that the JIT compiled at the end of the settling before the run, if the maximum number of rounds ended it; 0 if
    /// the JIT had come to rest; -1 when unknown. Only in the run CSV.
    /// </summary>
    public long UnsettledMethods { get; init; } = Unknown;
}
