using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions;

/// <summary>
/// How the kernel schedules the calling thread. A recorder's thread computes little but must run soon after it wakes, also on a saturated
/// machine: with the default time slice, it waits for each runnable thread of the recorded program, and its buffers overflow. Constants and
/// layouts: linux/sched/types.h, sched_setattr(2), getpriority(2).
/// </summary>
internal static unsafe partial class ThreadScheduling
{
    /// <summary>
    /// First kernel whose scheduler (EEVDF) lets a thread choose its slice, and runs threads with short slices early. Older kernels ignore
    /// the slice.
    /// </summary>
    private static readonly Version s_firstKernelWithSlices = new(6, 12);

    /// <summary>100 µs, the shortest slice that the kernel accepts. The default is 3 ms.</summary>
    private const ulong ShortSliceNanoseconds = 100_000;

    /// <summary>The highest priority of a thread that is not real-time. It needs root, CAP_SYS_NICE or RLIMIT_NICE.</summary>
    private const int HighestPriorityNice = -20;

    /// <summary>SCHED_FLAG_RESET_ON_FORK: threads and processes that this thread starts get the default slice and priority.</summary>
    private const ulong ResetOnFork = 1;

    private const int AttributeBytes = 48;

    private static readonly nint s_setAttributes = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 314,
        Architecture.X86 => 351,
        Architecture.Arm => 380,
        Architecture.S390x => 345,
        Architecture.Ppc64le => 355,
        Architecture.Arm64 or Architecture.LoongArch64 or Architecture.RiscV64 => 274,
        _ => -1,
    };

    /// <summary>Requests short time slices for the calling thread; its priority stays.</summary>
    /// <returns><see cref="Precedence.ShortSlices"/> or <see cref="Precedence.None"/>.</returns>
    public static Precedence TakeShortSlices() =>
        OperatingSystem.IsLinux() && Set(GetPriority(0, 0)) && Environment.OSVersion.Version >= s_firstKernelWithSlices
            ? Precedence.ShortSlices
            : Precedence.None;

    /// <summary>Requests short time slices and, where permitted, the highest priority for the calling thread.</summary>
    public static Precedence TakePrecedence() =>
        OperatingSystem.IsLinux() && Set(HighestPriorityNice) ? Precedence.HighestPriority : TakeShortSlices();

    /// <summary>Finds out what <see cref="TakePrecedence"/> achieves, on a thread that then ends.</summary>
    public static Precedence Probe()
    {
        var precedence = Precedence.None;
        var thread = new Thread(() => precedence = TakePrecedence());
        thread.Start();
        thread.Join();
        return precedence;
    }

    private static bool Set(int nice)
    {
        // Struct sched_attr: size and policy (SCHED_OTHER), flags, nice and priority, runtime, deadline, period.
        var attributes = stackalloc ulong[AttributeBytes / 8];
        new Span<ulong>(attributes, AttributeBytes / 8).Clear();
        attributes[0] = AttributeBytes;
        attributes[1] = ResetOnFork;
        attributes[2] = (uint)nice;
        attributes[3] = ShortSliceNanoseconds;
        return s_setAttributes >= 0 && SystemCall(s_setAttributes, 0, attributes, 0) == 0;
    }

    [LibraryImport("libc", EntryPoint = "getpriority")]
    private static partial int GetPriority(int which, uint thread);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(nint number, nint thread, void* attributes, nuint flags);
}
