using System.Globalization;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Creates plans. A preset is a purpose with the default of every other option. There are two user sessions, as with EventPipe, because a
/// provider has one level per session: at Verbose the GC keyword adds allocation ticks, and at Informational waits and starts of
/// compilations are missing.
/// </summary>
public static class EtwPresets
{
    /// <summary>Sample interval from which a plan contains a warning, in units of 100 ns: 10 ms.</summary>
    private const int CoarseInterval = 100_000;

    private const KernelEvents Names = KernelEvents.ProcessThread | KernelEvents.Loader;
    private const KernelEvents Switches = KernelEvents.ContextSwitch | KernelEvents.Dispatcher;

    /// <summary>
    /// The plan of a purpose for the machine of the committed scripts and profiles; its session names have no process id.
    /// </summary>
    public static EtwPlan Preset(EtwPurpose purpose) =>
        Create(new EtwPlanOptions { Purpose = purpose, SessionPrefix = EtwSessionName.Mark }, EtwMachine.Typical);

    /// <summary>Creates a plan.</summary>
    /// <param name="options">What the user chose.</param>
    /// <param name="machine">The machine that will run it.</param>
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
            EtwPlan.KernelFileName
        );
        var rundown =
            options.RundownWait <= TimeSpan.Zero
                ? null
                : new EtwRundown(
                    new EtwUserSession(
                        EtwUserSession.Rundown,
                        options.SessionPrefix + EtwUserSession.Rundown,
                        [EtwProviders.RundownProvider("names of methods of running processes", options.Lines)],
                        EtwBufferRule.File(machine, kernel: false),
                        "names of methods of running processes"
                    ),
                    options.RundownWait
                );
        return new EtwPlan(
            options.Purpose,
            options.Mode,
            kernel,
            users,
            rundown,
            options.NgenPdbs,
            options.Compress,
            Warnings(options, kernel, users, machine)
        );

        EtwBuffers Buffers(bool kernel) =>
            options.Mode.IsCircular
                ? EtwBufferRule.Circular(machine, options.Mode.CircularBytes, kernel, content.Sessions.Count, kernelEvents)
                : EtwBufferRule.File(machine, kernel);
    }

    private static KernelEvents KernelOf(EtwPurpose purpose) =>
        purpose switch
        {
            EtwPurpose.Allocation => Names | Switches,
            EtwPurpose.FirstCall => Names | KernelEvents.Profile | Switches | KernelEvents.Registry,
            EtwPurpose.Exceptions => Names,
            _ => Names | KernelEvents.Profile | Switches,
        };

    /// <summary>A stack costs several times its event, so stacks are recorded only where the analysis needs them.</summary>
    private static KernelEvents StacksOf(EtwPurpose purpose) =>
        purpose switch
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
            warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"a sample every {kernel.SampleInterval / 10_000.0:0.####} ms: a run of 30 ms has {30 * 10_000 / kernel.SampleInterval} samples per processor, too few to find its causes; Windows' own interval is 1 ms"
                )
            );
        }

        if (kernel.ChangesSampleInterval)
            warnings.Add(
                "the sample interval applies to the whole machine, also to other profilers that run meanwhile; it is restored to 1 ms at the end"
            );
        if (options.Mode.IsCircular && options.Mode.CircularBytes > machine.MemoryBytes / EtwBufferRule.MaxMemoryDivisor)
        {
            warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{options.Mode} is more than a quarter of this machine's {machine.MemoryBytes / (double)(1 << 30):0.#} GB: buffers cannot be paged out, and ETW may grant fewer than requested"
                )
            );
        }

        var total = kernel.Buffers.MaxBytes + users.Sum(session => session.Buffers.MaxBytes);
        if (options.Mode.IsCircular && total > options.Mode.CircularBytes)
            warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"the buffers take {total >> 20} MB instead of {options.Mode}: each session needs two per processor on {Plural.Of(machine.Processors, "processor")}"
                )
            );
        return warnings;
    }
}
