using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// System calls in which a thread waits for others or for time. Excludes calls that may wait but mostly work (read, write): dropping their
/// samples would lose CPU time in the kernel.
/// </summary>
internal static class WaitingCalls
{
    /// <summary>
    /// By number (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h): futex, futex_waitv, futex_wait, nanosleep,
    /// clock_nanosleep, epoll_wait, epoll_pwait, epoll_pwait2, poll, ppoll, select, pselect6, rt_sigtimedwait.
    /// </summary>
    private static readonly long[] s_numbers =
        RuntimeInformation.ProcessArchitecture == Architecture.Arm64
            ? [98, 449, 455, 101, 115, 22, 441, 73, 72, 137]
            : [202, 449, 455, 35, 230, 232, 281, 441, 7, 271, 23, 270, 128];

    /// <summary>Whether a system call waits; -1 is none.</summary>
    public static bool Contains(long number) => Array.IndexOf(s_numbers, number) >= 0;
}
