#if NET
using Microsoft.Win32.SafeHandles;
#endif

namespace EtwSerializerProfiler.Marks;

/// <summary>Detects whether a thread actually sleeps in the kernel. Linux only: other systems have no such file.</summary>
/// <remarks>
/// <see cref="System.Threading.ThreadState.WaitSleepJoin"/> is not sufficient. The runtime sets it before it tries the wait without
/// blocking, walks the stack and writes the WaitHandleWaitStart event (Thread::DoAppropriateWaitWorker in dotnet/runtime). A thread that is
/// switched out in between begins its wait milliseconds after it was seen as waiting, or never, when its wait ends first.
/// </remarks>
internal sealed class SleepProbe : IDisposable
{
    /// <summary>Longer than any stat line: about fifty numbers of at most 20 digits.</summary>
    private const int LineBytes = 1200;

#if NET
    /// <summary>/proc/self/task/TID/stat; reading it from the start returns the current state.</summary>
    private readonly SafeFileHandle _stat;

    private SleepProbe(SafeFileHandle stat) => _stat = stat;
#else
    /// <summary>/proc/self/task/TID/stat; reading it from the start returns the current state.</summary>
    private readonly FileStream _stat;

    /// <summary>Stored, because a check must not allocate.</summary>
    private readonly byte[] _line = new byte[LineBytes];

    private SleepProbe(FileStream stat) => _stat = stat;
#endif

    /// <summary>Opens a probe for the calling thread; null where the system has none.</summary>
    public static SleepProbe? OpenForCurrentThread()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
#if NET
            return new SleepProbe(File.OpenHandle("/proc/thread-self/stat"));
#else
            return new SleepProbe(
                new FileStream("/proc/thread-self/stat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 1)
            );
#endif
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Whether the thread sleeps ("S" in the third field of proc_pid_stat(5)). Allocates nothing.</summary>
    public bool IsSleeping
    {
        get
        {
#if NET
            Span<byte> line = stackalloc byte[LineBytes];
            var length = RandomAccess.Read(_stat, line, 0);
            var state = line[..length].LastIndexOf((byte)')') + 2; // the name before it may contain anything, even parentheses
#else
            var line = _line;
            _stat.Seek(0, SeekOrigin.Begin);
            var length = _stat.Read(line, 0, LineBytes);
            var state = length == 0 ? 0 : Array.LastIndexOf(line, (byte)')', length - 1) + 2;
#endif
            return state < length && line[state] == (byte)'S';
        }
    }

    public void Dispose() => _stat.Dispose();
}
