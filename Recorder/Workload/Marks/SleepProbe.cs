namespace EtwSerializerProfiler.Marks;

/// <summary>Detects whether a thread actually sleeps in the kernel.</summary>
/// <remarks>
/// <see cref="System.Threading.ThreadState.WaitSleepJoin"/> is not sufficient. The runtime sets it before it tries the wait without
/// blocking, walks the stack and writes the WaitHandleWaitStart event (Thread::DoAppropriateWaitWorker in dotnet/runtime). A thread that is
/// switched out in between begins its wait milliseconds after it was seen as waiting, or never, when its wait ends first.
/// </remarks>
internal abstract class SleepProbe : IDisposable
{
    /// <summary>Whether the thread sleeps. Allocates nothing.</summary>
    public abstract bool IsSleeping { get; }

    /// <summary>Opens a probe for the calling thread; null where the system does not show states of threads.</summary>
    public static SleepProbe? OpenForCurrentThread()
    {
        if (OperatingSystem.IsLinux())
            return LinuxSleepProbe.OpenForCurrentThread();
        return OperatingSystem.IsWindows() ? WindowsSleepProbe.OpenForCurrentThread() : null;
    }

    public abstract void Dispose();
}
