using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Plans CPU samples by ptrace: of a program that the recorder launches and of its descendants. Needs no rights.</summary>
/// <param name="SampleRateHz">Samples per second that all running threads share.</param>
/// <param name="Events">The samples, and the threads' clocks.</param>
/// <param name="Notes">What cannot be recorded, a sentence each.</param>
/// <param name="SamplerCommand">Command line that starts the sampler, up to its arguments.</param>
public sealed record PtracePlan(
    int SampleRateHz,
    IReadOnlyList<PlannedPerfEvent> Events,
    IReadOnlyList<string> Notes,
    IReadOnlyList<string> SamplerCommand
) : KernelPlan(SampleRateHz, Events, Notes)
{
    /// <summary>The internal verb that turns esp-record into the sampler.</summary>
    public const string Verb = "ptrace-sampler";

    /// <summary>Maximum rate. A stop costs about 50 µs, so at a higher rate the program would mostly stand still.</summary>
    public const int MaxSampleRateHz = 5_000;

    /// <inheritdoc />
    public override CpuSampler Sampler => CpuSampler.Ptrace;

    /// <inheritdoc />
    public override bool IsSystemWide => false;

    /// <summary>Creates the plan.</summary>
    /// <param name="samplerCommand">Command line that starts the sampler, up to its arguments.</param>
    /// <param name="sampleRateHz">Samples per second, limited to <see cref="MaxSampleRateHz"/>.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample, a multiple of 8; 0 for none.</param>
    public static PtracePlan Create(
        IReadOnlyList<string> samplerCommand,
        int sampleRateHz = PerfEventPlan.DefaultSampleRateHz,
        int stackDumpBytes = PerfEventPlan.DefaultStackDumpBytes
    )
    {
        var rate = Math.Min(sampleRateHz, MaxSampleRateHz);
        var settings = new PerfEventSettings
        {
            // Readers take the properties of a CPU sample from this event. The samples equal those of cpu-clock except for their varying
            // period.
            Kind = PerfEventKind.Software,
            SamplePeriod = (ulong)(1_000_000_000 / rate),
            SampleFields =
                PlannedPerfEvent.CommonFields | PerfSampleFields.CallChain | PerfSampleFields.RegistersUser | PerfSampleFields.StackUser,
            RegistersUser = ThreadStop.RegisterMask,
            StackUserBytes = (uint)stackDumpBytes,
            Bits =
                PerfEventBits.SampleIdAll
                | PerfEventBits.UseClockId
                | PerfEventBits.Comm
                | PerfEventBits.CommExec
                | PerfEventBits.Mmap
                | PerfEventBits.Mmap2
                | PerfEventBits.Task
                | PerfEventBits.ExcludeKernel
                | PerfEventBits.ExcludeHypervisor
                | PerfEventBits.ExcludeCallChainKernel,
            ClockId = PerfEventSettings.ClockMonotonic,
        };
        return new PtracePlan(
            rate,
            [
                new PlannedPerfEvent(
                    "ptrace-cpu-clock:u",
                    settings,
                    AllThreads: false,
                    $"CPU samples with call chains and {stackDumpBytes} bytes of stack, weighted by each thread's CPU clock; names, mappings, threads"
                ),
                ThreadClockPlan.Event,
            ],
            [
                "context switches, so neither the number nor the locations of waits: these need perf events",
                "kernel frames: CPU time in the kernel is attributed to the function that made the system call",
            ],
            samplerCommand
        );
    }
}
