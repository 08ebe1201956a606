#if NET
using Microsoft.Win32.SafeHandles;
#endif

namespace EtwSerializerProfiler.Marks;

/// <summary>The state of a thread in /proc/self/task/TID/stat.</summary>
internal sealed class LinuxSleepProbe : SleepProbe
{
    /// <summary>Longer than any stat line: about fifty numbers of at most 20 digits.</summary>
    private const int LineBytes = 1200;

#if NET
    /// <summary>/proc/self/task/TID/stat; reading it from the start returns the current state.</summary>
    private readonly SafeFileHandle _stat;

    private LinuxSleepProbe(SafeFileHandle stat) => _stat = stat;
#else
    /// <summary>/proc/self/task/TID/stat; reading it from the start returns the current state.</summary>
    private readonly FileStream _stat;

    /// <summary>Stored, because a check must not allocate.</summary>
    private readonly byte[] _line = new byte[LineBytes];

    private LinuxSleepProbe(FileStream stat) => _stat = stat;
#endif

    /// <summary>Opens a probe for the calling thread; null where /proc cannot be read.</summary>
    public static new LinuxSleepProbe? OpenForCurrentThread()
    {
        try
        {
#if NET
            return new LinuxSleepProbe(File.OpenHandle("/proc/thread-self/stat"));
#else
            return new LinuxSleepProbe(
                new FileStream("/proc/thread-self/stat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 1)
            );
#endif
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Whether the third field of proc_pid_stat(5) is "S".</summary>
    public override bool IsSleeping
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

    public override void Dispose() => _stat.Dispose();
}
