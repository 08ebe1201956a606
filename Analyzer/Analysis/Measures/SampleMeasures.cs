using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>CPU samples of a run, on all threads of the process.</summary>
public static class SampleMeasures
{
    private const string Sampling = "CPU samples, √n";
    private const string NoSamples = "no CPU samples";

    /// <summary>Samples.</summary>
    public static Measure<long> Count { get; } =
        new("samples", "", "0")
        {
            Header = "Samples",
            Shown = ReportTables.Processor,
            Definition = "CPU samples of the process in the window",
            Source = Sampling,
            NotRecorded = NoSamples,
            Stored = new("samples", "CPU samples in the window", "CPU samples over all runs"),
            Needs = EventKinds.CpuSamples,
            Collect = run => run.Tally.Samples,
        };

    /// <summary>CPU time that the samples represent.</summary>
    public static Measure<double> Cpu { get; } =
        new("sampledCpuMs", "ms", "0.000")
        {
            Definition = "Sum of the samples' weights: their sampling periods, or the CPU time that they represent",
            Source = Sampling,
            NotRecorded = NoSamples,
            Stored = new("sampled_cpu_ms", "CPU time that the samples represent"),
            Needs = EventKinds.CpuSamples,
            Collect = run => run.Milliseconds(run.Tally.SampledTicks),
        };

    /// <summary>CPU time without samples.</summary>
    public static Measure<double> Unsampled { get; } =
        new("unsampledCpuMs", "ms", "0.000")
        {
            Header = "Kernel or unsampled ms",
            Shown = ReportTables.Processor,
            Definition =
                "CPU ms - `sampledCpuMs`. In an ordinary user's recording: the time in kernel mode (page faults, zeroing for the GC, system calls), which may not be sampled. "
                + "In root's recording: sampling error of ± √samples periods, so it can be negative; far more means that samples were throttled or lost",
            Source = "both of these",
            NotRecorded = "one of the two was not recorded",
            OfRun = run => run.CpuMs - run.Samples?.CpuMs,
        };

    /// <summary>Samples in kernel mode.</summary>
    public static Measure<long> KernelCount { get; } =
        new("kernelSamples", "")
        {
            Fields = ReportFields.None,
            Definition = "Samples taken in kernel mode",
            Source = Sampling,
            NotRecorded = "the session lacked the right to sample the kernel",
            Stored = new("kernel_samples", "Samples in kernel mode; null when the session could not sample the kernel"),
            Needs = EventKinds.CpuSamples,
            Collect = run => run.Details.HasFlag(EventDetails.KernelSamples) ? run.Tally.KernelSamples : null,
        };

    /// <summary>Share of samples in kernel mode.</summary>
    public static Measure<double> KernelShare { get; } =
        new("kernelPercent", "%", "0.0")
        {
            Header = "Kernel %",
            Shown = ReportTables.Processor,
            Definition = "Samples taken in kernel mode / samples; `-` without samples",
            Source = Sampling,
            NotRecorded = "the session lacked the right to sample the kernel",
            DoesNotApplyToRun = run => run.Samples?.KernelCount is not null,
            OfRun = run => run.Samples?.KernelPercent,
            OfRow = row => row.Samples?.KernelPercent,
        };

    /// <summary>Samples with broken stacks.</summary>
    public static Measure<long> BrokenCount { get; } =
        new("brokenStacks", "")
        {
            Fields = ReportFields.None,
            Definition = "Samples with a broken stack (defined under CPU samples)",
            Source = Sampling,
            NotRecorded = NoSamples,
            Stored = new(
                "broken_stacks",
                "Samples whose stack does not reach the start of its thread",
                "Samples whose stack does not reach the start of its thread"
            ),
            Needs = EventKinds.CpuSamples,
            Collect = run => run.Tally.BrokenStacks,
        };

    /// <summary>Share of samples with broken stacks.</summary>
    public static Measure<double> BrokenShare { get; } =
        new("brokenStackPercent", "%", "0.0")
        {
            Header = "Broken %",
            Shown = ReportTables.Processor,
            Definition = "Samples with a broken stack / samples (defined under CPU samples); `-` without samples",
            Source = Sampling,
            NotRecorded = NoSamples,
            DoesNotApplyToRun = run => run.Samples is not null,
            OfRun = run => run.Samples?.BrokenStackPercent,
            OfRow = row => row.Samples?.BrokenStackPercent,
        };

    /// <summary>All measures of this group, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Count, Cpu, Unsampled, KernelCount, KernelShare, BrokenCount, BrokenShare];
}
