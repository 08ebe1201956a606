using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>Uses CPU time as the calling thread's own clock measures it, so that the amount is the same under any load.</summary>
internal static partial class ThreadClock
{
    /// <summary>CLOCK_PROCESS_CPUTIME_ID of Linux.</summary>
    private const int ProcessCpuTime = 2;

    /// <summary>CLOCK_THREAD_CPUTIME_ID of Linux.</summary>
    private const int ThreadCpuTime = 3;

    // Optimized at once: a loop that is replaced on the stack hides its caller from the chain of frame pointers.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static void Spin(long nanoseconds, int stepsPerLook = 1_000_000)
    {
        var end = Now() + nanoseconds;
        var x = 1u;
        do
        {
            // Many steps between two readings of the clock, so that its system call (no vDSO for this clock) is rarely sampled.
            for (var step = 0; step < stepsPerLook; step++)
                x = x * 1_664_525 + 1_013_904_223;
        } while (Now() < end && x != 0x12345678);
    }

    /// <summary>CPU time of the calling thread so far, in ns.</summary>
    public static long Now() => Read(ThreadCpuTime);

    /// <summary>CPU time of all threads of the process so far, in ns.</summary>
    public static long ProcessNow() => Read(ProcessCpuTime);

    private static long Read(int clock) =>
        ClockGetTime(clock, out var time) == 0
            ? time.Seconds * 1_000_000_000 + time.Nanoseconds
            : throw new InvalidOperationException($"no clock {clock}");

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    /// <summary>Can sleep for less than a millisecond, unlike <see cref="Thread.Sleep(int)"/>.</summary>
    /// <param name="nanoseconds">Less than a second.</param>
    public static void Sleep(long nanoseconds)
    {
        var time = new TimeSpec { Nanoseconds = (nint)nanoseconds };
        _ = NanoSleep(time, 0);
    }

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int NanoSleep(in TimeSpec time, nint rest);

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
