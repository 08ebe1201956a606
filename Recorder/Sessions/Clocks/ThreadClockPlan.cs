using System.Runtime.Versioning;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>Plans readings of the threads' clocks, which weight the samples of EventPipe's sample profiler. Needs no rights.</summary>
public sealed record ThreadClockPlan : KernelPlan
{
    /// <summary>Default rate of the runtime's sample profiler in samples per second (ep-sample-profiler.c of dotnet/runtime).</summary>
    private const int SampleProfilerRateHz = 1000;

    private ThreadClockPlan(PlannedPerfEvent planned, string note, Func<IThreadClocks> openClocks)
        : base(SampleProfilerRateHz, [planned], [note]) => OpenClocks = openClocks;

    /// <summary>
    /// The event of the readings, also used beside the ptrace sampler's samples. It never occurs and only carries counts.
    /// </summary>
    public static PlannedPerfEvent Event { get; } =
        new(
            PerfDataSource.ClockEvent,
            new PerfEventSettings
            {
                Kind = PerfEventKind.Software,
                Config = PlannedPerfEvent.Dummy,
                SampleFields = PlannedPerfEvent.CommonFields,
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

    /// <summary>Opens the system's clocks.</summary>
    internal Func<IThreadClocks> OpenClocks { get; }

    /// <summary>Creates the plan; null when the system has no such clocks.</summary>
    public static ThreadClockPlan? Create()
    {
        if (OperatingSystem.IsLinux())
        {
            return File.Exists("/proc/self/schedstat")
                ? Create(PerfDataSource.ClockEvent, "they need perf events", () => new LinuxThreadClocks())
                : null;
        }

        if (OperatingSystem.IsWindows())
        {
            var name = WindowsThreadClocks.CountsCycles ? PerfDataSource.CpuClockEvent : PerfDataSource.CpuStepsEvent;
            return Create(name, "they need --sessions traceevent, elevated", OpenOnWindows);
        }

        return OperatingSystem.IsMacOS() ? Create(PerfDataSource.CpuClockEvent, "not on this system", OpenOnMac) : null;
    }

    /// <summary>Creates the plan for clocks of a kind.</summary>
    /// <param name="eventName">The event, which names the kind.</param>
    /// <param name="needs">What gives the other events.</param>
    /// <param name="open">Opens the clocks.</param>
    internal static ThreadClockPlan Create(string eventName, string needs, Func<IThreadClocks> open)
    {
        var times = eventName switch
        {
            PerfDataSource.ClockEvent => "CPU time and ready time of each thread",
            PerfDataSource.CpuClockEvent => "CPU time of each thread",
            _ => "CPU time of each thread in steps of 10 to 16 ms",
        };
        var purpose = $"{times}, which weight the samples of EventPipe's sample profiler; names of threads";
        var settings = Event.Settings with { Bits = Event.Settings.Bits | PerfEventBits.Comm };
        var named = Event with { Name = eventName, Settings = settings, Purpose = purpose };
        var left = eventName == PerfDataSource.ClockEvent ? "context switches and waits" : "context switches, waits and ready time";
        return new ThreadClockPlan(named, $"{left}, native and kernel frames: {needs}", open);
    }

    [SupportedOSPlatform("windows")]
    private static WindowsThreadClocks OpenOnWindows() => new();

    [SupportedOSPlatform("macos")]
    private static MacThreadClocks OpenOnMac() => new();
}
