using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Makes plans. A preset is a purpose with every other option at its default. Two user sessions as on EventPipe, because a provider has one level in a
/// session: at Verbose the GC keyword brings allocation ticks, at Informational waits and the starts of compilations are missing.
/// </summary>
public static class EtwPresets
{
    /// <summary>From this sample interval on a plan warns, in units of 100 ns: 10 ms.</summary>
    private const int CoarseInterval = 100_000;

    private const KernelEvents Names = KernelEvents.ProcessThread | KernelEvents.Loader;
    private const KernelEvents Switches = KernelEvents.ContextSwitch | KernelEvents.Dispatcher;

    /// <summary>The plan of a purpose for the machine that committed scripts and profiles are made for, with session names without a process id.</summary>
    public static EtwPlan Preset(EtwPurpose purpose) => Create(new EtwPlanOptions { Purpose = purpose, SessionPrefix = EtwSessionName.Mark }, EtwMachine.Typical);

    /// <summary>Makes a plan.</summary>
    /// <param name="options">What the user chose.</param>
    /// <param name="machine">The machine it is to run on.</param>
    public static EtwPlan Create(EtwPlanOptions options, EtwMachine machine)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(machine);
        var content = EtwPresetContent.Of(options);
        var kernelEvents = KernelOf(options.Purpose) | options.MoreKernelEvents;
        var users = content.Sessions.Select(session => session with { Buffers = Buffers(kernel: false) }).ToList();
        var kernel = new EtwKernelSession(
            options.NtKernelLogger ? EtwKernelSession.NtKernelLogger : options.SessionPrefix + "kernel",
            kernelEvents,
            StacksOf(options.Purpose),
            options.SampleInterval,
            Buffers(kernel: true),
            EtwPlan.KernelFileName);
        var rundown = options.RundownWait <= TimeSpan.Zero ? null : new EtwRundown(
            new EtwUserSession(
                EtwUserSession.Rundown,
                options.SessionPrefix + EtwUserSession.Rundown,
                [EtwProviders.RundownProvider("names of methods of processes that still run")],
                EtwBufferRule.File(machine, kernel: false),
                "names of methods of processes that still run"),
            options.RundownWait);
        return new EtwPlan(options.Purpose, options.Mode, kernel, users, rundown, options.NgenPdbs, options.Compress, Warnings(options, kernel, users, machine));

        EtwBuffers Buffers(bool kernel) => options.Mode.IsCircular
            ? EtwBufferRule.Circular(machine, options.Mode.CircularBytes, kernel, content.Sessions.Count, kernelEvents)
            : EtwBufferRule.File(machine, kernel);
    }

    private static KernelEvents KernelOf(EtwPurpose purpose) => purpose switch
    {
        EtwPurpose.Allocation => Names | Switches,
        EtwPurpose.FirstCall => Names | KernelEvents.Profile | Switches | KernelEvents.Registry,
        EtwPurpose.Exceptions => Names,
        _ => Names | KernelEvents.Profile | Switches,
    };

    /// <summary>Stacks cost several times the event they belong to, so only where something reads them.</summary>
    private static KernelEvents StacksOf(EtwPurpose purpose) => purpose switch
    {
        EtwPurpose.Allocation or EtwPurpose.Exceptions => KernelEvents.None,
        EtwPurpose.FirstCall => KernelEvents.Profile | Switches | KernelEvents.Registry,
        _ => KernelEvents.Profile | Switches,
    };

    private static List<string> Warnings(EtwPlanOptions options, EtwKernelSession kernel, List<EtwUserSession> users, EtwMachine machine)
    {
        var warnings = new List<string>();
        if (kernel.Events.HasFlag(KernelEvents.Profile) && kernel.SampleInterval >= CoarseInterval)
        {
            warnings.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"a sample every {kernel.SampleInterval / 10_000.0:0.####} ms: a run of 30 ms has {30 * 10_000 / kernel.SampleInterval} samples a processor, too few to tell its causes; 1 ms is Windows' own interval"));
        }

        if (kernel.ChangesSampleInterval)
            warnings.Add("the sample interval is one of the whole machine: other profilers that run meanwhile get it, too; it is set back to 1 ms at the end");
        if (options.Mode.IsCircular && options.Mode.CircularBytes > machine.MemoryBytes / EtwBufferRule.LargestMemoryDivisor)
        {
            warnings.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{options.Mode} is more than a quarter of this machine's {machine.MemoryBytes / (double)(1 << 30):0.#} GB: buffers cannot be paged out, and ETW may get fewer than were asked for"));
        }

        var total = kernel.Buffers.MostBytes + users.Sum(session => session.Buffers.MostBytes);
        if (options.Mode.IsCircular && total > options.Mode.CircularBytes)
            warnings.Add(string.Create(CultureInfo.InvariantCulture, $"the buffers take {total >> 20} MB instead of {options.Mode}: each session needs two for each of {Plural.Of(machine.Processors, "processor")}"));
        return warnings;
    }
}
