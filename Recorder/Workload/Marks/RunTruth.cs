namespace EtwSerializerProfiler.Marks;

/// <summary>
/// What the measured program itself knows of a run, read outside the run's clock: the truth channel every table is checked against.
/// </summary>
/// <param name="StartTicks">Clock at the start, in ticks of <see cref="System.Diagnostics.Stopwatch"/>: on Linux CLOCK_MONOTONIC in nanoseconds, the clock of EventPipe and perf events; on Windows QueryPerformanceCounter, the clock of ETW.</param>
/// <param name="StopTicks">Clock at the end, same unit.</param>
/// <param name="TicksPerSecond">Ticks of that clock in one second.</param>
/// <param name="ThreadCpuNanoseconds">CPU time (user + kernel) of the measuring thread between the two, in ns; -1 where the OS gives none.</param>
/// <param name="AllocatedBytes">Difference of <c>GC.GetTotalAllocatedBytes(precise: true)</c>: all threads of the process, in bytes; -1 where the runtime has no such counter (Mono).</param>
/// <param name="Gen0">Generation-0 collections, not counting those of higher generations.</param>
/// <param name="Gen1">Generation-1 collections, not counting generation 2.</param>
/// <param name="Gen2">Generation-2 collections, blocking and background.</param>
/// <param name="DataBytes">Size of the serialized data in bytes; -1 when the operation has none.</param>
/// <param name="Error">What ended the run, as <see cref="RunError.Of"/> says it; empty when it completed.</param>
public readonly record struct RunTruth(
    long StartTicks,
    long StopTicks,
    long TicksPerSecond,
    long ThreadCpuNanoseconds,
    long AllocatedBytes,
    int Gen0,
    int Gen1,
    int Gen2,
    long DataBytes,
    string Error)
{
    /// <summary>
    /// When the process of the run was launched, in ticks of the same clock, read by its launcher just before; -1 when no launcher told. Told of the first
    /// run of a process only.
    /// </summary>
    public long LaunchedTicks { get; init; } = -1;

    /// <summary>Time of <see cref="SpeedProbe"/> just before the run, in ns; -1 when it was not read. In the run CSV only, not in the events.</summary>
    public long ProbeBeforeNanoseconds { get; init; } = SpeedProbe.NotRead;

    /// <summary>The same just after the run.</summary>
    public long ProbeAfterNanoseconds { get; init; } = SpeedProbe.NotRead;
}
