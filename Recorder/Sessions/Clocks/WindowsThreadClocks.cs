using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>
/// Clocks of threads of the same user, without rights: their cycles (QueryThreadCycleTime), counted at each context switch,
/// or GetThreadTimes, which charges a whole clock interrupt (15.6 ms) to the thread that it meets.
/// </summary>
/// <remarks>
/// On x64 and x86 these are cycles of the time stamp counter, which has a constant rate. On arm64 they are a core's own, so
/// GetThreadTimes is read there.
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed partial class WindowsThreadClocks : IThreadClocks
{
    /// <summary>THREAD_QUERY_LIMITED_INFORMATION of winnt.h.</summary>
    private const uint QueryLimitedInformation = 0x0800;

    /// <summary>STILL_ACTIVE of minwinbase.h.</summary>
    private const uint StillActive = 259;

    private const uint TimerMilliseconds = 1;

    private readonly double _nanosecondsPerCycle;

    private readonly bool _hasFastTimer;

    /// <summary>
    /// Measures the rate of cycles, and lets this process wait for 2 ms, because the system's timer has a period of 15.6 ms.
    /// </summary>
    public WindowsThreadClocks()
    {
        try
        {
            _hasFastTimer = BeginPeriod(TimerMilliseconds) == 0;
        }
        catch (DllNotFoundException)
        {
            // Nano Server has no winmm: clocks are read every 15.6 ms.
        }

        if (!CountsCycles)
            return;
        var cyclesPerTick = CycleRate.Measure(CurrentCycles, Stopwatch.GetTimestamp, Stopwatch.Frequency / 1000);
        _nanosecondsPerCycle = 1e9 / (cyclesPerTick * Stopwatch.Frequency);
    }

    /// <summary>Whether threads have cycles of a constant rate here.</summary>
    public static bool CountsCycles =>
        RuntimeInformation.OSArchitecture is Architecture.X64 or Architecture.X86 && QueryThreadCycleTime(GetCurrentThread(), out _);

    /// <inheritdoc />
    public TimeSpan ListInterval => TimeSpan.FromMilliseconds(100);

    /// <inheritdoc />
    public IReadOnlyList<int> Threads(int processId) =>
        OtherProcess.Read<IReadOnlyList<int>>(
            processId,
            process => [.. process.Threads.Cast<ProcessThread>().Select(thread => thread.Id)],
            []
        );

    /// <inheritdoc />
    public IThreadClock? Open(int processId, int thread)
    {
        var handle = OpenThread(QueryLimitedInformation, false, (uint)thread);
        return handle == 0 ? null : new Clock(handle, _nanosecondsPerCycle);
    }

    /// <inheritdoc />
    public void Dispose()
    {
        if (_hasFastTimer)
            _ = EndPeriod(TimerMilliseconds);
    }

    private static ulong CurrentCycles() => QueryThreadCycleTime(GetCurrentThread(), out var cycles) ? cycles : 0;

    [LibraryImport("winmm", EntryPoint = "timeBeginPeriod")]
    private static partial uint BeginPeriod(uint milliseconds);

    [LibraryImport("winmm", EntryPoint = "timeEndPeriod")]
    private static partial uint EndPeriod(uint milliseconds);

    [LibraryImport("kernel32")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32")]
    private static partial nint OpenThread(uint access, [MarshalAs(UnmanagedType.Bool)] bool inherit, uint thread);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CloseHandle(nint handle);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool QueryThreadCycleTime(nint thread, out ulong cycles);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetThreadTimes(nint thread, out long creation, out long exit, out long kernel, out long user);

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetExitCodeThread(nint thread, out uint code);

    [LibraryImport("kernel32")]
    private static partial int GetThreadDescription(nint thread, out nint text);

    [LibraryImport("kernel32")]
    private static partial nint LocalFree(nint memory);

    private sealed class Clock(nint handle, double nanosecondsPerCycle) : IThreadClock
    {
        public bool TryRead(out ThreadTime time)
        {
            // The handle outlives the thread, and still gives its final time.
            var isAlive = GetExitCodeThread(handle, out var code) && code == StillActive;
            time = default;
            if (nanosecondsPerCycle > 0)
            {
                if (!QueryThreadCycleTime(handle, out var cycles))
                    return false;
                time = new ThreadTime((long)(cycles * nanosecondsPerCycle), 0);
                return isAlive;
            }

            if (!GetThreadTimes(handle, out _, out _, out var kernel, out var user))
                return false;
            time = new ThreadTime((kernel + user) * TimeSpan.NanosecondsPerTick, 0);
            return isAlive;
        }

        public string? ReadName()
        {
            if (GetThreadDescription(handle, out var text) < 0 || text == 0)
                return null;
            try
            {
                return Marshal.PtrToStringUni(text);
            }
            finally
            {
                _ = LocalFree(text);
            }
        }

        public void Dispose() => _ = CloseHandle(handle);
    }
}
