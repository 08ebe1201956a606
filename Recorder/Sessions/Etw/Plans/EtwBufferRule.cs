namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Number of buffers for a recording to files, depending on the machine's memory.</summary>
/// <param name="MemoryBytes">Minimum physical memory in bytes for which the rule applies.</param>
/// <param name="KernelBuffers">Maximum buffers of the kernel session.</param>
/// <param name="UserBuffers">Maximum buffers of each user session.</param>
/// <param name="Reason">Reason for the numbers.</param>
public sealed record EtwBufferRule(long MemoryBytes, int KernelBuffers, int UserBuffers, string Reason)
{
    /// <summary>
    /// Size of a buffer in KB: the maximum of Windows before 8 and of xperf's documentation (4 to 1024 KB). Large buffers are written to
    /// disk faster.
    /// </summary>
    public const int SizeKB = 1024;

    /// <summary>Minimum buffer size in KB for circular memory: an event with its stack takes up to 2 KB.</summary>
    private const int MinKB = 64;

    /// <summary>
    /// Minimum buffers per processor and session: each processor fills one while others are written (ETW's own minimum is two).
    /// </summary>
    public const int MinPerProcessor = 4;

    /// <summary>
    /// The kernel session's share of the circular memory in percent if it has samples or context switches, which with their stacks are most
    /// events.
    /// </summary>
    public const int KernelPercent = 70;

    /// <summary>
    /// The kernel session's share in percent if it only names processes and modules; the events of interest are then in the user sessions.
    /// </summary>
    public const int NamesPercent = 20;

    /// <summary>
    /// Circular memory above this fraction of the machine's memory causes a warning: buffers cannot be paged out, and ETW may grant fewer
    /// than requested.
    /// </summary>
    public const int MaxMemoryDivisor = 4;

    /// <summary>The rules, largest memory first.</summary>
    public static IReadOnlyList<EtwBufferRule> All { get; } =
    [
        new(
            16L << 30,
            512,
            256,
            "3 % of 16 GB for the kernel session: large enough for several seconds of context switches with stacks on all processors while the disk is busy"
        ),
        new(8L << 30, 256, 128, "3 % of 8 GB for the kernel session: buffers cannot be paged out"),
        new(4L << 30, 128, 64, "3 % of 4 GB for the kernel session: buffers cannot be paged out; check the lost events"),
        new(0, 64, 32, "little memory: losing events in bursts is better than taking memory from the measured program"),
    ];

    /// <summary>The rule for a machine.</summary>
    public static EtwBufferRule For(EtwMachine machine)
    {
        ArgumentNullException.ThrowIfNull(machine);

        // A machine sold with 16 GB reports slightly less.
        return All.First(rule => machine.MemoryBytes >= rule.MemoryBytes - (rule.MemoryBytes / 16));
    }

    /// <summary>Buffers for a recording to files.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="kernel">Whether for the kernel session.</param>
    public static EtwBuffers File(EtwMachine machine, bool kernel)
    {
        var rule = For(machine);
        var min = machine.Processors * MinPerProcessor;
        var max = Math.Max(kernel ? rule.KernelBuffers : rule.UserBuffers, 2 * min);
        return new EtwBuffers(SizeKB, Math.Max(min, max / 4), max);
    }

    /// <summary>Buffers for circular memory.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="bytes">Memory of all sessions together, in bytes.</param>
    /// <param name="kernel">Whether for the kernel session.</param>
    /// <param name="userSessions">Number of user sessions that share the rest.</param>
    /// <param name="kernelEvents">What the kernel session records.</param>
    public static EtwBuffers Circular(EtwMachine machine, long bytes, bool kernel, int userSessions, KernelEvents kernelEvents)
    {
        ArgumentNullException.ThrowIfNull(machine);
        var percent = (kernelEvents & (KernelEvents.Profile | KernelEvents.ContextSwitch)) != 0 ? KernelPercent : NamesPercent;
        var share = kernel ? bytes * percent / 100 : bytes * (100 - percent) / 100 / Math.Max(1, userSessions);

        // Each processor needs two buffers, so little memory is divided into smaller ones.
        var size = SizeKB;
        while (size > MinKB && share / (size * 1024L) < machine.Processors * 2)
            size /= 2;
        var count = (int)Math.Max(share / (size * 1024L), machine.Processors * 2);
        return new EtwBuffers(size, count, count);
    }
}
