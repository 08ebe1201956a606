using System.Buffers.Text;
using EtwSerializerProfiler.Sessions.Clocks;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>A traced thread.</summary>
/// <param name="id">Its id.</param>
/// <param name="process">Its process.</param>
internal sealed unsafe class SampledThread(int id, SampledProcess process) : IDisposable
{
    private int _schedule = Open(process.Id, id, "schedstat");
    private int _call = Open(process.Id, id, "syscall");
    private int _stat = -1;
    private (long Cpu, long Ready) _programStart;

    public int Id => id;

    public SampledProcess Process => process;

    /// <summary>CPU time and ready time in ns and number of times it was switched in, from the last reading.</summary>
    public long Nanoseconds { get; private set; }

    public long ReadyNanoseconds { get; private set; }

    public long Slices { get; private set; }

    /// <summary>CPU time and ready time of its program at the last reading in ns; exec starts a new program.</summary>
    public long CpuClock => Nanoseconds - _programStart.Cpu;

    public long ReadyClock => ReadyNanoseconds - _programStart.Ready;

    /// <summary>The last written <see cref="CpuClock"/>; -1 for a new thread, so that it gets written.</summary>
    public long Written { get; set; } = -1;

    /// <summary>CPU time in ns that samples account for.</summary>
    public long Paid { get; set; }

    /// <summary><see cref="Slices"/> at the last stop; the thread has not run since if it is unchanged.</summary>
    public long SlicesAtStop { get; set; } = -1;

    /// <summary>Whether it was asleep at the last tick; it still is if its numbers are unchanged.</summary>
    public bool IsAsleep { get; set; }

    /// <summary>When it was interrupted without having stopped since; 0 when it was not.</summary>
    public long AskedAt { get; set; }

    /// <summary>
    /// Where the chain of frame pointers ended at the last sample. The stack begins near that address, so no more is copied.
    /// </summary>
    public ulong OutermostFrame { get; set; }

    /// <summary>CPU time and number of its samples in this window.</summary>
    public long WindowNanoseconds { get; set; }

    public int WindowSamples { get; set; }

    /// <summary>Last written name.</summary>
    public string Name { get; set; } = "";

    /// <summary>Reads CPU time, ready time and slices; false when the thread has ended.</summary>
    public bool TryReadSchedule()
    {
        var text = stackalloc byte[ThreadSchedule.MaxText];
        var length = (int)PtraceNative.ReadAt(_schedule, text, ThreadSchedule.MaxText, 0);
        if (!ThreadSchedule.TryParse(new ReadOnlySpan<byte>(text, Math.Max(0, length)), out var schedule))
            return false;
        (Nanoseconds, ReadyNanoseconds, Slices) = (schedule.Cpu, schedule.Ready, schedule.Slices);
        return true;
    }

    /// <summary>Resets its clocks after exec has started another program. The next reading gets written.</summary>
    public void StartClocks()
    {
        if (TryReadSchedule())
            _programStart = (Nanoseconds, ReadyNanoseconds);
        Written = -1;
    }

    /// <summary>Discards the CPU time until now, so that no sample accounts for it.</summary>
    public void PayAll() => Paid = TryReadSchedule() ? Nanoseconds : 0;

    /// <summary>
    /// Whether it is running or ready. <c>/proc/TID/syscall</c> shows this; wchan does not (a thread that has just gone to sleep still
    /// looks runnable there).
    /// </summary>
    public bool IsRunning()
    {
        byte first;
        return PtraceNative.ReadAt(_call, &first, 1, 0) == 1 && first == (byte)'r';
    }

    /// <summary>
    /// The processor that it last used; -1 when unknown. Field 37 after the name in <c>/proc/TID/stat</c>; the name is in parentheses and
    /// may contain some itself (proc_pid_stat(5)).
    /// </summary>
    public int Processor()
    {
        const int Field = 37;
        if (_stat < 0)
            _stat = Open(process.Id, id, "stat");
        var text = stackalloc byte[1024];
        var fields = new ReadOnlySpan<byte>(text, Math.Max(0, (int)PtraceNative.ReadAt(_stat, text, 1024, 0)));
        fields = fields[(fields.LastIndexOf((byte)')') + 1)..];
        for (var field = 0; field < Field; field++)
            fields = fields[(fields.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(fields, out int processor, out _) ? processor : -1;
    }

    /// <summary>Opens its files again: after exec, the id belongs to the thread that called exec.</summary>
    public void Reopen()
    {
        Dispose();
        (_schedule, _call) = (Open(process.Id, id, "schedstat"), Open(process.Id, id, "syscall"));
    }

    public void Dispose()
    {
        _ = PtraceNative.Close(_schedule);
        _ = PtraceNative.Close(_call);
        if (_stat >= 0)
            _ = PtraceNative.Close(_stat);
        _stat = -1;
    }

    private static int Open(int process, int thread, string file) =>
        PtraceNative.Open($"/proc/{process}/task/{thread}/{file}", PtraceNative.ReadOnly);
}
