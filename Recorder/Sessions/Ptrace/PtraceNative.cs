using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// The system calls of the ptrace sampler. Constants: linux/ptrace.h, linux/wait.h, asm-generic/fcntl.h and signal.h, the same on x64 and
/// arm64. All arguments are blittable, so calls allocate nothing.
/// </summary>
internal static unsafe partial class PtraceNative
{
    // Requests of ptrace(2).
    public const int Continue = 7;
    public const int Detach = 17;
    public const int GetEventMessage = 0x4201;
    public const int GetRegisterSet = 0x4204;
    public const int Seize = 0x4206;
    public const int Interrupt = 0x4207;
    public const int Listen = 0x4208;

    /// <summary>PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC.</summary>
    public const int Options = 0x2 | 0x4 | 0x8 | 0x10;

    // Events in the third byte of a wait status.
    public const int EventExec = 4;
    public const int EventStop = 128;

    /// <summary>NT_PRSTATUS: the general registers.</summary>
    public const int GeneralRegisters = 1;

    /// <summary>NT_ARM_SYSTEM_CALL: number of the current system call of an arm64 thread.</summary>
    public const int Arm64SystemCall = 0x404;

    /// <summary>WNOHANG | __WNOTHREAD | __WALL: all kinds of children of this thread.</summary>
    public const int WaitWithoutBlocking = 0x1 | 0x20000000 | 0x40000000;

    // Options of waitid(2).
    private const int AnyChild = 0;
    private const int OneChild = 1;
    private const int Stopped = 0x2;
    private const int Ended = 0x4;
    private const int LeaveWaiting = 0x1000000;

    public const int SigHup = 1;
    public const int SigInt = 2;
    public const int SigQuit = 3;
    public const int SigTrap = 5;
    public const int SigPipe = 13;
    public const int SigTerm = 15;
    public const int SigChld = 17;

    /// <summary>Bytes of a sigset_t of glibc and musl.</summary>
    public const int SignalSetBytes = 128;

    /// <summary>O_RDONLY | O_CLOEXEC.</summary>
    public const int ReadOnly = 0x80000;

    /// <summary>O_WRONLY | O_CLOEXEC | O_NONBLOCK.</summary>
    public const int WriteWithoutBlocking = 0x1 | 0x80000 | 0x800;

    public const int NotPermitted = 1;
    public const int NoSuchProcess = 3;
    public const int TryAgain = 11;
    public const int BrokenPipe = 32;

    private const int Block = 0;
    private const int SetMask = 2;
    private const nint Ignore = 1;
    private const int SetFlags = 4;
    private const int SetPipeSize = 1031;
    private const int SetTimerSlack = 29;
    private const int PipeBytes = 1 << 20;
    private const int MaxProcessors = 8192;

    /// <summary>Processors that this process may use, a bit each.</summary>
    private static readonly byte[] s_permitted = new byte[MaxProcessors / 8];

    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    public static partial nint Trace(nint request, nint thread, nint address, nint data);

    [LibraryImport("libc", EntryPoint = "wait4", SetLastError = true)]
    public static partial int Wait(int process, int* status, int options, void* usage);

    [LibraryImport("libc", EntryPoint = "waitid", SetLastError = true)]
    private static partial int WaitForId(int kind, int id, int* information, int options);

    [LibraryImport("libc", EntryPoint = "process_vm_readv", SetLastError = true)]
    public static partial nint ReadMemory(int process, IoVector* local, nuint locals, IoVector* remote, nuint remotes, nuint flags);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    public static partial nint ReadAt(int file, byte* buffer, nuint bytes, nint offset);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int file, byte* buffer, nuint bytes);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int file);

    /// <summary>Finds a child of this thread whose state has changed, and leaves it to be waited for.</summary>
    /// <param name="of">The only child to check, which takes constant time; 0 for any.</param>
    /// <param name="hasEnded">Whether it has ended.</param>
    /// <returns>Its id; 0 or less when no child's state has changed.</returns>
    public static int Changed(int of, out bool hasEnded)
    {
        var information = stackalloc int[32]; // siginfo_t, 128 bytes: signal, error, code, padding, process id
        information[4] = 0;
        hasEnded =
            WaitForId(of == 0 ? AnyChild : OneChild, of, information, WaitWithoutBlocking | Ended | Stopped | LeaveWaiting) == 0
            && information[2] is 1 or 2 or 3; // CLD_EXITED, CLD_KILLED, CLD_DUMPED
        return information[4];
    }

    /// <summary>Waits until a child changes its state or the time has passed.</summary>
    /// <param name="signals">A set with only SIGCHLD, which this thread blocks.</param>
    /// <param name="nanoseconds">Maximum wait; less than a second.</param>
    /// <returns>Whether a child changed its state.</returns>
    public static bool WaitForChild(byte* signals, long nanoseconds)
    {
        var time = stackalloc nint[] { 0, (nint)nanoseconds };
        return WaitForSignal(signals, null, time) > 0;
    }

    /// <summary>Makes the calling thread's timers exact and gives it precedence over the program's threads.</summary>
    public static void HurryThisThread()
    {
        _ = Control(SetTimerSlack, 1, 0, 0, 0);
        _ = ThreadScheduling.TakePrecedence();
    }

    /// <summary>
    /// Pins the calling thread to one processor. If a timer on one processor wakes a thread for another processor, the thread may have to
    /// wait there until the running thread makes a system call (lazy preemption, the default since kernel 6.13). It would then see that
    /// thread only at system calls.
    /// </summary>
    /// <param name="from">The processor to leave for the next permitted one; -1 to stay on the current one.</param>
    /// <returns>Its number; -1 when unknown.</returns>
    public static int StayOnProcessor(int from = -1)
    {
        fixed (byte* permitted = s_permitted)
        {
            if (from < 0 && GetAffinity(0, MaxProcessors / 8, permitted) != 0)
                return -1;
        }

        var processor = from < 0 ? CurrentProcessor() : from;
        for (var others = 0; from >= 0 && others < MaxProcessors && (processor == from || !IsPermitted(processor)); others++)
            processor = (processor + 1) % MaxProcessors;
        if (processor is < 0 or >= MaxProcessors)
            return -1;
        var mask = stackalloc byte[MaxProcessors / 8];
        new Span<byte>(mask, MaxProcessors / 8).Clear();
        mask[processor / 8] = (byte)(1 << processor % 8);
        return SetAffinity(0, MaxProcessors / 8, mask) == 0 ? processor : -1;

        static bool IsPermitted(int number) => (s_permitted[number / 8] & 1 << number % 8) != 0;
    }

    /// <summary>Makes a pipe as large as an ordinary user may make it.</summary>
    public static void Enlarge(int pipe) => _ = ControlFile(pipe, SetPipeSize, PipeBytes);

    /// <summary>Makes writes to a pipe wait for space.</summary>
    public static void MakeBlocking(int pipe) => _ = ControlFile(pipe, SetFlags, 0x1);

    /// <summary>Ignores a signal.</summary>
    /// <returns>Whether it was ignored before.</returns>
    public static bool IgnoreSignal(int signal) => SetHandler(signal, Ignore) == Ignore;

    /// <summary>Fills a set of signals with one signal.</summary>
    public static void Only(byte* set, int signal)
    {
        new Span<byte>(set, SignalSetBytes).Clear();
        set[(signal - 1) / 8] = (byte)(1 << (signal - 1) % 8);
    }

    /// <summary>Blocks SIGCHLD in this thread and in processes that it starts meanwhile.</summary>
    /// <param name="previous">Receives the previously blocked signals for <see cref="RestoreSignals"/>.</param>
    public static void BlockChildSignal(byte* previous)
    {
        var set = stackalloc byte[SignalSetBytes];
        Only(set, SigChld);
        _ = SetThreadMask(Block, set, previous);
    }

    /// <summary>Restores the signals that were blocked before <see cref="BlockChildSignal"/>.</summary>
    public static void RestoreSignals(byte* previous) => _ = SetThreadMask(SetMask, previous, null);

    [LibraryImport("libc", EntryPoint = "posix_spawn")]
    public static partial int Spawn(int* process, byte* path, void* fileActions, void* attributes, byte** arguments, byte** environment);

    [LibraryImport("libc", EntryPoint = "posix_spawnattr_init")]
    public static partial int InitializeSpawn(void* attributes);

    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setflags")]
    public static partial int SetSpawnFlags(void* attributes, short flags);

    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setsigmask")]
    public static partial int SetSpawnMask(void* attributes, byte* blocked);

    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setsigdefault")]
    public static partial int SetSpawnDefaults(void* attributes, byte* signals);

    [LibraryImport("libc", EntryPoint = "sigtimedwait")]
    private static partial int WaitForSignal(byte* signals, void* information, nint* time);

    [LibraryImport("libc", EntryPoint = "pthread_sigmask")]
    private static partial int SetThreadMask(int how, byte* set, byte* previous);

    [LibraryImport("libc", EntryPoint = "signal")]
    private static partial nint SetHandler(int signal, nint handler);

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int Control(int option, nuint first, nuint second, nuint third, nuint fourth);

    [LibraryImport("libc", EntryPoint = "sched_getcpu")]
    private static partial int CurrentProcessor();

    [LibraryImport("libc", EntryPoint = "sched_getaffinity")]
    private static partial int GetAffinity(int thread, nuint bytes, byte* mask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int SetAffinity(int thread, nuint bytes, byte* mask);

    [LibraryImport("libc", EntryPoint = "fcntl")]
    private static partial int ControlFile(int file, int command, nint argument);

    /// <summary>struct iovec.</summary>
    public struct IoVector
    {
        public void* Start;
        public nuint Length;
    }
}
