using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Plans CPU samples by ptrace: of a program that the recorder launches and of all that it starts, without any right.</summary>
/// <param name="SampleRateHz">Looks a second; a thread that runs has as many samples.</param>
/// <param name="Events">The samples, and the threads' clocks.</param>
/// <param name="Notes">What cannot be recorded, a sentence each.</param>
/// <param name="SamplerCommand">How the sampler is started, up to its arguments.</param>
public sealed record PtracePlan(int SampleRateHz, IReadOnlyList<PlannedPerfEvent> Events, IReadOnlyList<string> Notes, IReadOnlyList<string> SamplerCommand)
    : KernelPlan(SampleRateHz, Events, Notes)
{
    /// <summary>The verb by which esp-record becomes the sampler. Not for users.</summary>
    public const string Verb = "ptrace-sampler";

    /// <summary>A stop costs some 50 µs, so more often than this the program would mostly stand still.</summary>
    public const int HighestSampleRateHz = 5_000;

    /// <inheritdoc />
    public override CpuSampler Sampler => CpuSampler.Ptrace;

    /// <inheritdoc />
    public override bool IsSystemWide => false;

    /// <summary>Makes the plan.</summary>
    /// <param name="samplerCommand">How the sampler is started, up to its arguments.</param>
    /// <param name="sampleRateHz">Looks a second; more than <see cref="HighestSampleRateHz"/> are not made.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample, a multiple of 8; 0 for none.</param>
    public static PtracePlan Create(IReadOnlyList<string> samplerCommand, int sampleRateHz = PerfEventPlan.DefaultSampleRateHz, int stackDumpBytes = PerfEventPlan.DefaultStackDumpBytes)
    {
        var rate = Math.Min(sampleRateHz, HighestSampleRateHz);
        var settings = new PerfEventSettings
        {
            // Readers take what they need to know of a CPU sample from this: the samples are those of cpu-clock, but for their varying period.
            Kind = PerfEventKind.Software,
            SamplePeriod = (ulong)(1_000_000_000 / rate),
            SampleFields = PerfEventPlan.CommonFields | PerfSampleFields.CallChain | PerfSampleFields.RegistersUser | PerfSampleFields.StackUser,
            RegistersUser = ThreadStop.RegisterMask,
            StackUserBytes = (uint)stackDumpBytes,
            Bits = PerfEventBits.SampleIdAll | PerfEventBits.UseClockId | PerfEventBits.Comm | PerfEventBits.CommExec | PerfEventBits.Mmap | PerfEventBits.Mmap2
                | PerfEventBits.Task | PerfEventBits.ExcludeKernel | PerfEventBits.ExcludeHypervisor | PerfEventBits.ExcludeCallChainKernel,
            ClockId = PerfEventSettings.ClockMonotonic,
        };
        return new PtracePlan(
            rate,
            [
                new PlannedPerfEvent("ptrace-cpu-clock:u", settings, AllThreads: false, $"CPU samples with call chains and {stackDumpBytes} bytes of stack, weighted by each thread's CPU clock; names, mappings, threads"),
                ThreadClockPlan.Event,
            ],
            ["context switches, and so how often and where threads waited: they need perf events", "kernel frames: CPU time in the kernel counts for the function that made the system call"],
            samplerCommand);
    }
}
