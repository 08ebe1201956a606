using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>Plans readings of the threads' clocks, which weight the samples of EventPipe's sample profiler. Needs no rights.</summary>
/// <param name="Events">The only event of the file.</param>
/// <param name="Notes">What cannot be recorded, a sentence each.</param>
public sealed record ThreadClockPlan(IReadOnlyList<PlannedPerfEvent> Events, IReadOnlyList<string> Notes)
    : KernelPlan(SampleProfilerRateHz, Events, Notes)
{
    /// <summary>Default rate of the runtime's sample profiler in samples per second (ep-sample-profiler.c of dotnet/runtime).</summary>
    private const int SampleProfilerRateHz = 1000;

    /// <summary>
    /// The event of the readings, also used beside the ptrace sampler's samples. It never occurs and only carries counts.
    /// </summary>
    public static PlannedPerfEvent Event { get; } =
        new(
            PerfDataSource.ClockEvent,
            new PerfEventSettings
            {
                Kind = PerfEventKind.Software,
                Config = PerfEventPlan.Dummy,
                SampleFields = PerfEventPlan.CommonFields,
                ReadFormat = PerfEventSettings.ReadTimes | PerfEventSettings.ReadId,
                Bits = PerfEventBits.SampleIdAll | PerfEventBits.UseClockId,
                ClockId = PerfEventSettings.ClockMonotonic,
            },
            AllThreads: false,
            "CPU time and ready time of each thread"
        );

    /// <inheritdoc />
    public override CpuSampler Sampler => CpuSampler.EventPipe;

    /// <inheritdoc />
    public override bool IsSystemWide => false;

    /// <summary>Creates the plan; null when the system has no such clocks.</summary>
    public static ThreadClockPlan? Create()
    {
        if (!OperatingSystem.IsLinux() || !File.Exists("/proc/self/schedstat"))
            return null;
        return new ThreadClockPlan(
            [
                Event with
                {
                    Settings = Event.Settings with { Bits = Event.Settings.Bits | PerfEventBits.Comm },
                    Purpose = $"{Event.Purpose}, which weight the samples of EventPipe's sample profiler; names of threads",
                },
            ],
            ["context switches and waits, native and kernel frames: they need perf events"]
        );
    }
}
