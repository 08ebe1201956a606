using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Marks;

/// <summary>The state of a thread as NtQueryInformationThread returns it (ThreadSystemThreadInformation, Windows 10 and later).</summary>
internal sealed class WindowsSleepProbe : SleepProbe
{
    /// <summary>ThreadSystemThreadInformation of THREADINFOCLASS, whose number Microsoft does not document.</summary>
    private const int SystemThreadInformation = 40;

    /// <summary>THREAD_QUERY_INFORMATION.</summary>
    private const uint QueryAccess = 0x40;

    /// <summary>KTHREAD_STATE.</summary>
    private const uint Running = 2;

    private const uint Waiting = 5;

    /// <summary>KWAIT_REASON of WaitForMultipleObjects. A thread that waits for a page or a critical section has another one.</summary>
    private const uint UserRequest = 6;

    private readonly SafeWaitHandle _thread;

    private WindowsSleepProbe(SafeWaitHandle thread) => _thread = thread;

    public override bool IsSleeping => TryRead(_thread, out var information) && information is { State: Waiting, WaitReason: UserRequest };

    /// <summary>Opens a probe for the calling thread; null where Windows does not say that this thread is running.</summary>
    public static new WindowsSleepProbe? OpenForCurrentThread()
    {
        var thread = OpenThread(QueryAccess, false, GetCurrentThreadId());
        if (!thread.IsInvalid && TryRead(thread, out var information) && information.State == Running)
            return new WindowsSleepProbe(thread);
        thread.Dispose();
        return null;
    }

    public override void Dispose() => _thread.Dispose();

    private static unsafe bool TryRead(SafeWaitHandle thread, out ThreadInformation information)
    {
        var status = NtQueryInformationThread(thread, SystemThreadInformation, out information, sizeof(ThreadInformation), out var length);
        return status == 0 && length == sizeof(ThreadInformation);
    }

    [DllImport("kernel32")]
    private static extern uint GetCurrentThreadId();

    [DllImport("kernel32")]
    private static extern SafeWaitHandle OpenThread(uint access, [MarshalAs(UnmanagedType.Bool)] bool inheritHandle, uint threadId);

    [DllImport("ntdll")]
    private static extern int NtQueryInformationThread(
        SafeWaitHandle thread,
        int informationClass,
        out ThreadInformation information,
        int length,
        out int returnedLength
    );

    /// <summary>SYSTEM_THREAD_INFORMATION of winternl.h.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct ThreadInformation
    {
        /// <summary>Kernel, user and creation time.</summary>
        public long KernelTime;
        public long UserTime;
        public long CreateTime;
        public uint WaitTime;
        public IntPtr StartAddress;

        /// <summary>Process and thread.</summary>
        public IntPtr ProcessId;
        public IntPtr ThreadId;
        public int Priority;
        public int BasePriority;
        public uint ContextSwitches;
        public uint State;
        public uint WaitReason;
    }
}
