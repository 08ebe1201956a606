using System.Runtime.InteropServices;

/// <summary>
/// System calls that end early when their thread is interrupted, each by a thread of its own that works and waits in turn. epoll_wait,
/// semtimedop and sigtimedwait return EINTR then, whoever interrupted (signal(7)); the kernel restarts the others if no handler ran.
/// </summary>
internal static unsafe partial class Interruptions
{
    private const int Interrupted = 4; // EINTR
    private const int SigUrg = 23;

    /// <summary>Makes the calls and counts those that were interrupted.</summary>
    /// <param name="milliseconds">Time each call waits.</param>
    /// <param name="calls">Calls of each kind.</param>
    /// <param name="nanoseconds">CPU time between two calls.</param>
    public static IEnumerable<(string Call, int Interrupted)> Count(int milliseconds, int calls, long nanoseconds)
    {
        (string Name, Func<int> Wait)[] kinds =
        [
            ("epoll_wait", () => Poll(milliseconds)),
            ("semtimedop", () => Semaphore(milliseconds)),
            ("sigtimedwait", () => Signal(milliseconds)),
            ("nanosleep", () => Sleep(milliseconds)),
            ("poll", () => PollNothing(null, 0, milliseconds)),
        ];
        var interrupted = new int[kinds.Length];
        var threads = kinds
            .Select(
                (kind, index) =>
                    new Thread(() =>
                    {
                        for (var call = 0; call < calls; call++)
                        {
                            if (nanoseconds > 0)
                                ThreadClock.Spin(nanoseconds, 10_000);
                            Marshal.SetLastPInvokeError(0);
                            if (kind.Wait() < 0 && Marshal.GetLastPInvokeError() == Interrupted)
                                interrupted[index]++;
                        }
                    })
                    {
                        Name = kind.Name,
                    }
            )
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return kinds.Zip(interrupted, (kind, count) => (kind.Name, count));
    }

    private static int Poll(int milliseconds)
    {
        var poll = CreatePoll(0);
        var found = stackalloc byte[16]; // struct epoll_event
        var result = PollWait(poll, found, 1, milliseconds);
        var error = Marshal.GetLastPInvokeError();
        _ = Close(poll);
        Marshal.SetLastPInvokeError(error);
        return result;
    }

    private static int Semaphore(int milliseconds)
    {
        var set = CreateSemaphores(0, 1, 0x180); // IPC_PRIVATE, mode 0600
        var operation = stackalloc short[] { 0, -1, 0 }; // struct sembuf: wait for 1
        var time = Time(milliseconds);
        var result = SemaphoreWait(set, operation, 1, &time);
        var error = Marshal.GetLastPInvokeError();
        _ = ControlSemaphores(set, 0, 0); // IPC_RMID
        Marshal.SetLastPInvokeError(error);
        return result;
    }

    private static int Signal(int milliseconds)
    {
        var set = stackalloc ulong[16]; // sigset_t of glibc and musl
        new Span<ulong>(set, 16).Clear();
        set[0] = 1UL << (SigUrg - 1);
        var time = Time(milliseconds);
        return SignalWait(set, null, &time);
    }

    private static int Sleep(int milliseconds)
    {
        var time = Time(milliseconds);
        return NanoSleep(&time, null);
    }

    private static TimeSpec Time(int milliseconds) =>
        new() { Seconds = milliseconds / 1000, Nanoseconds = milliseconds % 1000 * 1_000_000 };

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    private static partial int CreatePoll(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    private static partial int PollWait(int poll, byte* events, int count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int PollNothing(void* files, nuint count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "semget", SetLastError = true)]
    private static partial int CreateSemaphores(int key, int count, int flags);

    [LibraryImport("libc", EntryPoint = "semtimedop", SetLastError = true)]
    private static partial int SemaphoreWait(int set, short* operations, nuint count, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "semctl", SetLastError = true)]
    private static partial int ControlSemaphores(int set, int index, int command);

    [LibraryImport("libc", EntryPoint = "sigtimedwait", SetLastError = true)]
    private static partial int SignalWait(ulong* set, void* information, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "nanosleep", SetLastError = true)]
    private static partial int NanoSleep(TimeSpec* time, TimeSpec* rest);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int file);

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
