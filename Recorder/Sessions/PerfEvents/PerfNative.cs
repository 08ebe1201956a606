using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>The system calls of a perf session. Constants and layouts: linux/perf_event.h and the manual page perf_event_open(2).</summary>
internal static unsafe partial class PerfNative
{
    /// <summary>PERF_EVENT_IOC_ENABLE, _IO('$', 0).</summary>
    public const nuint IoctlEnable = 0x2400;

    /// <summary>PERF_EVENT_IOC_DISABLE, _IO('$', 1).</summary>
    public const nuint IoctlDisable = 0x2401;

    /// <summary>PERF_EVENT_IOC_SET_OUTPUT, _IO('$', 5): records go to another event's ring.</summary>
    public const nuint IoctlSetOutput = 0x2405;

    /// <summary>PERF_EVENT_IOC_ID, _IOR('$', 7, __u64 *): the id that records carry.</summary>
    public const nuint IoctlId = 0x80082407;

    /// <summary>PERF_FLAG_FD_CLOEXEC.</summary>
    public const nuint CloseOnExec = 8;

    /// <summary>Offset of data_head in struct perf_event_mmap_page: position of the kernel's next write; only ever grows.</summary>
    public const int DataHead = 1024;

    /// <summary>Offset of data_tail: position up to which the recorder has read.</summary>
    public const int DataTail = 1032;

    // errno values (asm-generic/errno-base.h, errno.h), the same on x64 and arm64.
    public const int NotPermitted = 1;
    public const int NoSuchProcess = 3;
    public const int Interrupted = 4;
    public const int TooLarge = 7;
    public const int OutOfMemory = 12;
    public const int AccessDenied = 13;
    public const int NoSuchDevice = 19;
    public const int InvalidArgument = 22;
    public const int TooManyOpenFiles = 24;
    public const int NotImplemented = 38;

    /// <summary>POLLIN.</summary>
    public const short PollIn = 1;

    /// <summary>POLLERR | POLLHUP: all threads of the event have ended.</summary>
    public const short PollEnded = 0x18;

    private const int ReadWrite = 3;
    private const int Shared = 1;
    private const int EventFdFlags = 0x80000 | 0x800; // EFD_CLOEXEC | EFD_NONBLOCK

    /// <summary>System call number of perf_event_open, for which libc has no function.</summary>
    private static readonly nint s_perfEventOpen = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 298,
        Architecture.Arm64 => 241,
        Architecture.X86 => 336,
        Architecture.Arm => 364,
        Architecture.S390x => 331,
        Architecture.Ppc64le => 319,
        Architecture.LoongArch64 or Architecture.RiscV64 => 241,
        _ => -1,
    };

    /// <summary>Opens an event; -1 and errno on failure.</summary>
    public static int Open(ReadOnlySpan<byte> settings, int processId, int cpu)
    {
        fixed (byte* pointer = settings)
            return (int)SystemCall(s_perfEventOpen, pointer, processId, cpu, -1, CloseOnExec);
    }

    /// <summary>Maps a ring; -1 and errno on failure.</summary>
    public static nint Map(int descriptor, nuint bytes) => Map(0, bytes, ReadWrite, Shared, descriptor, 0);

    /// <summary>A descriptor that another thread can make readable.</summary>
    public static int CreateSignal() => EventFd(0, EventFdFlags);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(nint address, nuint bytes);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(int descriptor, nuint request, nint argument);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, void* buffer, nuint bytes);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, void* buffer, nuint bytes);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(nint number, void* settings, nint processId, nint cpu, nint group, nuint flags);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint Map(nint address, nuint bytes, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    private static partial int EventFd(uint value, int flags);

    /// <summary>struct pollfd: int fd, short events, short revents. A negative descriptor is ignored.</summary>
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Wanted;
        public short Happened;
    }
}
