using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Marks;

/// <summary>CPU time of the calling thread. .NET's own APIs are not finer than a scheduler tick.</summary>
internal static partial class ThreadCpuClock
{
    /// <summary>CLOCK_THREAD_CPUTIME_ID of Linux's time.h.</summary>
    private const int LinuxThreadCpuTime = 3;

    /// <summary>CLOCK_THREAD_CPUTIME_ID of macOS's time.h.</summary>
    private const int MacThreadCpuTime = 16;

    /// <summary>User + kernel time of the calling thread in nanoseconds; -1 where it cannot be read.</summary>
    /// <remarks>
    /// Linux and macOS: clock_gettime(CLOCK_THREAD_CPUTIME_ID), ns. Windows: GetThreadTimes, 100 ns units that advance by scheduler ticks.
    /// </remarks>
    public static long Nanoseconds()
    {
        if (OperatingSystem.IsWindows())
            return GetThreadTimes(GetCurrentThread(), out _, out _, out var kernel, out var user) ? (kernel + user) * 100 : -1;

        return ClockGetTime(OperatingSystem.IsMacOS() ? MacThreadCpuTime : LinuxThreadCpuTime, out var time) == 0
            ? ((long)time.Seconds * 1_000_000_000) + time.Nanoseconds
            : -1;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }

#if NET
    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    [LibraryImport("kernel32")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetThreadTimes(nint thread, out long creation, out long exit, out long kernel, out long user);
#else
    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int ClockGetTime(int clock, out TimeSpec time);

    [DllImport("kernel32")]
    private static extern nint GetCurrentThread();

    [DllImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool GetThreadTimes(nint thread, out long creation, out long exit, out long kernel, out long user);
#endif
}
