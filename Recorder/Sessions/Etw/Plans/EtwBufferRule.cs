namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>How many buffers a recording to files gets where a machine has so much memory.</summary>
/// <param name="MemoryBytes">Applies from so much physical memory on, in bytes.</param>
/// <param name="KernelBuffers">Buffers of the kernel session at most.</param>
/// <param name="UserBuffers">Buffers of each user session at most.</param>
/// <param name="Reason">Why so many.</param>
public sealed record EtwBufferRule(long MemoryBytes, int KernelBuffers, int UserBuffers, string Reason)
{
    /// <summary>Size of a buffer in KB: the largest that Windows before 8 and xperf's documentation know (4 to 1024 KB); large ones are written to disk faster.</summary>
    public const int SizeKB = 1024;

    /// <summary>Smallest buffer in KB that circular memory is divided into: an event with its stack takes up to 2 KB.</summary>
    private const int SmallestKB = 64;

    /// <summary>Buffers a processor and session at least: each processor fills one while others are written (ETW's own minimum is two).</summary>
    public const int LeastPerProcessor = 4;

    /// <summary>Of the circular memory so much is the kernel session's, in percent, where it has samples or context switches: with their stacks these are most events by far.</summary>
    public const int KernelPercent = 70;

    /// <summary>The same where it only names processes and modules: what is looked for is in the user sessions.</summary>
    public const int NamesPercent = 20;

    /// <summary>Circular memory over this part of the machine's is warned about: buffers cannot be paged out, and ETW may get fewer of them than were asked for.</summary>
    public const int LargestMemoryDivisor = 4;

    /// <summary>The rules, for the most memory first.</summary>
    public static IReadOnlyList<EtwBufferRule> All { get; } =
    [
        new(16L << 30, 512, 256, "3 % of 16 GB for the kernel session: a burst of context switches with stacks on all processors outlasts several seconds of a busy disk"),
        new(8L << 30, 256, 128, "3 % of 8 GB for the kernel session: buffers cannot be paged out"),
        new(4L << 30, 128, 64, "3 % of 4 GB for the kernel session: buffers cannot be paged out; look at the lost events"),
        new(0, 64, 32, "little memory: events are lost in bursts rather than memory taken from what is measured"),
    ];

    /// <summary>The rule for a machine.</summary>
    public static EtwBufferRule For(EtwMachine machine)
    {
        ArgumentNullException.ThrowIfNull(machine);

        // A machine sold with 16 GB reports a little less.
        return All.First(rule => machine.MemoryBytes >= rule.MemoryBytes - (rule.MemoryBytes / 16));
    }

    /// <summary>Buffers for a recording to files.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="kernel">Whether for the kernel session.</param>
    public static EtwBuffers File(EtwMachine machine, bool kernel)
    {
        var rule = For(machine);
        var least = machine.Processors * LeastPerProcessor;
        var most = Math.Max(kernel ? rule.KernelBuffers : rule.UserBuffers, 2 * least);
        return new EtwBuffers(SizeKB, Math.Max(least, most / 4), most);
    }

    /// <summary>Buffers for circular memory.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="bytes">Memory of all sessions together, in bytes.</param>
    /// <param name="kernel">Whether for the kernel session.</param>
    /// <param name="userSessions">How many user sessions share the rest.</param>
    /// <param name="kernelEvents">What the kernel session records.</param>
    public static EtwBuffers Circular(EtwMachine machine, long bytes, bool kernel, int userSessions, KernelEvents kernelEvents)
    {
        ArgumentNullException.ThrowIfNull(machine);
        var percent = (kernelEvents & (KernelEvents.Profile | KernelEvents.ContextSwitch)) != 0 ? KernelPercent : NamesPercent;
        var share = kernel ? bytes * percent / 100 : bytes * (100 - percent) / 100 / Math.Max(1, userSessions);

        // Each processor needs two: of little memory smaller ones are made.
        var size = SizeKB;
        while (size > SmallestKB && share / (size * 1024L) < machine.Processors * 2)
            size /= 2;
        var count = (int)Math.Max(share / (size * 1024L), machine.Processors * 2);
        return new EtwBuffers(size, count, count);
    }
}
