using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Clocks;

/// <summary>
/// Clocks of threads of the same user, by proc_pidinfo. Constants and layout: bsd/sys/proc_info.h and fill_taskthreadinfo in
/// osfmk/kern/bsd_kern.c of xnu. The ids are those of pthread_threadid_np, which the runtime's events carry (src/coreclr/pal of
/// dotnet/runtime).
/// </summary>
[SupportedOSPlatform("macos")]
internal sealed partial class MacThreadClocks : IThreadClocks
{
    /// <summary>PROC_PIDLISTTHREADIDS: fills an array of u64.</summary>
    private const int ListThreadIds = 28;

    /// <summary>PROC_PIDTHREADID64INFO: fills struct proc_threadinfo.</summary>
    private const int ThreadInfo = 15;

    /// <inheritdoc />
    public TimeSpan ListInterval => TimeSpan.FromMilliseconds(20);

    /// <inheritdoc />
    public IReadOnlyList<int> Threads(int processId)
    {
        // A full array may be cut.
        for (var capacity = 128; ; capacity *= 2)
        {
            var ids = new ulong[capacity];
            var bytes = List(processId, ListThreadIds, 0, ids, capacity * sizeof(ulong));
            if (bytes < ids.Length * sizeof(ulong))
                return [.. ids.Take(Math.Max(0, bytes) / sizeof(ulong)).Where(id => id is > 0 and <= int.MaxValue).Select(id => (int)id)];
        }
    }

    /// <inheritdoc />
    public IThreadClock? Open(int processId, int thread) => new Clock(processId, thread);

    /// <inheritdoc />
    public void Dispose()
    {
        // Holds nothing open.
    }

    [LibraryImport("libproc", EntryPoint = "proc_pidinfo")]
    private static partial int List(int process, int flavor, ulong argument, [Out] ulong[] ids, int bytes);

    [LibraryImport("libproc", EntryPoint = "proc_pidinfo")]
    private static partial int Read(int process, int flavor, ulong argument, out ProcThreadInfo info, int bytes);

    private sealed class Clock(int processId, int thread) : IThreadClock
    {
        public bool TryRead(out ThreadTime time)
        {
            var isThere = TryRead(out ProcThreadInfo info);
            time = new ThreadTime((long)(info.UserTime + info.SystemTime), 0);
            return isThere;
        }

        public string? ReadName()
        {
            if (!TryRead(out ProcThreadInfo info))
                return null;
            ReadOnlySpan<byte> bytes = info.Name;
            var end = bytes.IndexOf((byte)0);
            return Encoding.UTF8.GetString(end < 0 ? bytes : bytes[..end]);
        }

        public void Dispose()
        {
            // Holds nothing open.
        }

        private bool TryRead(out ProcThreadInfo info) =>
            Read(processId, ThreadInfo, (ulong)thread, out info, Unsafe.SizeOf<ProcThreadInfo>()) == Unsafe.SizeOf<ProcThreadInfo>();
    }
}

/// <summary>struct proc_threadinfo.</summary>
internal struct ProcThreadInfo
{
    /// <summary>pth_user_time in ns, counted in µs.</summary>
    public ulong UserTime;

    /// <summary>pth_system_time, likewise.</summary>
    public ulong SystemTime;

    /// <summary>pth_cpu_usage, pth_policy, pth_run_state, pth_flags, pth_sleep_time, pth_curpri, pth_priority, pth_maxpriority.</summary>
    public EightNumbers State;

    /// <summary>pth_name: UTF-8 to the first zero.</summary>
    public NameBytes Name;
}

/// <summary>Eight int32.</summary>
[InlineArray(8)]
internal struct EightNumbers
{
    private int _first;
}

/// <summary>MAXTHREADNAMESIZE bytes.</summary>
[InlineArray(64)]
internal struct NameBytes
{
    private byte _first;
}
