using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Measures;

/// <summary>CPU samples of a run, on all threads of the process.</summary>
public static class SampleMeasures
{
    private const string CpuClock = "cpu-clock event of the kernel session, √n";
    private const string NoSamples = "no CPU samples";

    /// <summary>CPU time of reflection.</summary>
    public static Measure<double> Reflection { get; } = new()
    {
        Key = "reflectionMs", Header = "Reflection ms", Unit = "ms", Format = "0.0", Shown = ReportTables.Main, IsInTotals = false,
        Definition = "CPU time below the serializer's entry frame that reflection took ([attribution.md](attribution.md))",
        Source = "CPU samples, √n", NotRecorded = "no CPU samples, or no names of methods",
        OfRun = run => run.Causes?.GroupMilliseconds(CauseCatalog.ReflectionGroup),
        OfRow = row => row.Causes?.GroupMilliseconds(CauseCatalog.ReflectionGroup),
    };

    /// <summary>CPU time of Activator.</summary>
    public static Measure<double> Activator { get; } = new()
    {
        Key = "activatorMs", Header = "Activator ms", Unit = "ms", Format = "0.0", Shown = ReportTables.Main, IsInTotals = false,
        Definition = "The same for Activator and what creates objects for it",
        Source = "CPU samples, √n", NotRecorded = "no CPU samples, or no names of methods",
        OfRun = run => run.Causes?.GroupMilliseconds(CauseCatalog.ActivatorGroup),
        OfRow = row => row.Causes?.GroupMilliseconds(CauseCatalog.ActivatorGroup),
    };

    /// <summary>Samples.</summary>
    public static Measure<long> Count { get; } = new()
    {
        Key = "samples", Header = "Samples", Unit = "", Format = "0", Shown = ReportTables.Processor,
        Definition = "CPU samples of the process in the window",
        Source = CpuClock, NotRecorded = NoSamples,
        Stored = new("samples", "CPU samples in the window", "CPU samples over all runs"),
        Needs = TraceCapabilities.CpuSamples,
        Collect = run => run.Tally.Samples,
    };

    /// <summary>CPU time that the samples stand for.</summary>
    public static Measure<double> Cpu { get; } = new()
    {
        Key = "sampledCpuMs", Unit = "ms", Format = "0.000",
        Definition = "Sampling periods of the samples added up",
        Source = CpuClock, NotRecorded = NoSamples,
        Stored = new("sampled_cpu_ms", "CPU time they stand for"),
        Needs = TraceCapabilities.CpuSamples,
        Collect = run => run.Milliseconds(run.Tally.SampledTicks),
    };

    /// <summary>CPU time without samples.</summary>
    public static Measure<double> Unsampled { get; } = new()
    {
        Key = "unsampledCpuMs", Header = "Kernel or unsampled ms", Unit = "ms", Format = "0.000", Shown = ReportTables.Processor,
        Definition = "CPU ms - `sampledCpuMs`. Of an ordinary user's recording: the time in kernel mode (page faults, zeroing for the GC, system calls), which may not be sampled. "
            + "Of root's: what chance makes of it, ± √samples periods, so it can be negative; far more means that samples were throttled or lost",
        Source = "both of these", NotRecorded = "one of the two was not recorded",
        OfRun = run => run.UnsampledCpuMs,
    };

    /// <summary>Samples in kernel mode.</summary>
    public static Measure<long> KernelCount { get; } = new()
    {
        Key = "kernelSamples", Unit = "", Fields = ReportFields.None,
        Definition = "Samples taken in kernel mode",
        Source = CpuClock, NotRecorded = "the session was not permitted to sample the kernel",
        Stored = new("kernel_samples", "Samples in kernel mode; null when the session was not permitted to sample the kernel"),
        Needs = TraceCapabilities.CpuSamples,
        Collect = run => run.Has(TraceCapabilities.KernelSamples) ? run.Tally.KernelSamples : null,
    };

    /// <summary>Share of samples in kernel mode.</summary>
    public static Measure<double> KernelShare { get; } = new()
    {
        Key = "kernelPercent", Header = "Kernel %", Unit = "%", Format = "0.0", Shown = ReportTables.Processor,
        Definition = "Samples taken in kernel mode / samples; `-` without samples",
        Source = CpuClock, NotRecorded = "the session was not permitted to sample the kernel",
        DoesNotApplyToRun = run => run.Samples?.KernelCount is not null,
        OfRun = run => run.Samples?.KernelPercent,
        OfRow = row => row.Samples?.KernelPercent,
    };

    /// <summary>Samples with broken stacks.</summary>
    public static Measure<long> BrokenCount { get; } = new()
    {
        Key = "brokenStacks", Unit = "", Fields = ReportFields.None,
        Definition = "Samples with a broken stack (defined under CPU samples)",
        Source = CpuClock, NotRecorded = NoSamples,
        Stored = new("broken_stacks", "Samples whose stack does not reach the begin of its thread", "Samples whose stack does not reach the begin of its thread"),
        Needs = TraceCapabilities.CpuSamples,
        Collect = run => run.Tally.BrokenStacks,
    };

    /// <summary>Share of samples with broken stacks.</summary>
    public static Measure<double> BrokenShare { get; } = new()
    {
        Key = "brokenStackPercent", Header = "Broken %", Unit = "%", Format = "0.0", Shown = ReportTables.Processor,
        Definition = "Samples with a broken stack / samples (defined under CPU samples); `-` without samples",
        Source = CpuClock, NotRecorded = NoSamples,
        DoesNotApplyToRun = run => run.Samples is not null,
        OfRun = run => run.Samples?.BrokenStackPercent,
        OfRow = row => row.Samples?.BrokenStackPercent,
    };

    /// <summary>Those by cause that the main table has; <c>causes</c> has all.</summary>
    public static IReadOnlyList<Measure> Causes { get; } = [Reflection, Activator];

    /// <summary>All others, in the order of columns.</summary>
    public static IReadOnlyList<Measure> All { get; } = [Count, Cpu, Unsampled, KernelCount, KernelShare, BrokenCount, BrokenShare];
}
