using System.Diagnostics;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>The traced processes and threads. Follows their starts, execs and ends, and writes their records.</summary>
/// <remarks>
/// <para>
/// <b>New threads and processes</b> are attached by the kernel (PTRACE_O_TRACECLONE and similar), at the cost of two stops each. Searching
/// for new threads and attaching to them would be cheaper but can hang forever: while one thread calls exec, PTRACE_SEIZE of another one
/// waits for the exec (cred_guard_mutex), and the exec waits until the tracer has reaped the threads that it ended.
/// </para>
/// <para>
/// <b>createdump</b>, which .NET starts when it crashes, must trace the crashing process itself, and a process can have only one tracer. So
/// when exec starts createdump, its parent's threads are detached first; createdump stays stopped at its exec until then. When it has
/// ended, the sampler attaches to the process again if it lives.
/// </para>
/// </remarks>
/// <param name="buffer">Receives the records.</param>
/// <param name="eventId">Id of the samples' event; the id of the threads' clocks follows it.</param>
internal sealed unsafe class TracedThreads(SampleBuffer buffer, ulong eventId) : IDisposable
{
    private const long MinMappingPause = 20_000_000;
    private const long MaxMappingPause = 1_000_000_000;

    private readonly ProcessSnapshot _records = new(buffer, eventId, 0);
    private readonly Dictionary<int, SampledProcess> _processes = [];
    private readonly Dictionary<int, SampledThread> _threads = [];

    /// <summary>All processes.</summary>
    public Dictionary<int, SampledProcess>.ValueCollection Processes => _processes.Values;

    /// <summary>A thread by its id; null when unknown.</summary>
    public SampledThread? Find(int id) => _threads.GetValueOrDefault(id);

    /// <summary>Adds the process at the gate, which gets no samples before its exec.</summary>
    public void AddProgram(int id) => AddThread(AddProcess(id, Environment.ProcessId), id);

    /// <summary>Adds a thread, or the first thread of a process, that was just started.</summary>
    public SampledThread AddStarted(int id)
    {
        var (processId, parent) = SampledProcess.IdsOf(id);
        if (!_processes.TryGetValue(processId, out var process))
        {
            process = AddProcess(processId, parent);
            process.IsSampled = true;
            WriteMappings(process, Stopwatch.GetTimestamp());
        }

        var thread = AddThread(process, id);
        WriteClock(thread, Stopwatch.GetTimestamp());
        return thread;
    }

    /// <summary>Removes a thread that has ended.</summary>
    public void Remove(int id)
    {
        if (_threads.GetValueOrDefault(id) is { } thread)
        {
            var now = Stopwatch.GetTimestamp();
            WriteUnsampled(thread, now);
            _records.Time = now;
            _records.WriteTask(isEnd: true, thread.Process.Id, id, thread.Process.Parent, thread.Process.Id);
            Forget(thread);
        }

        if (!_processes.Remove(id, out var process))
            return;
        process.Dispose();
        foreach (var dumped in _processes.Values)
        {
            if (dumped.DumpedBy == id)
                Attach(dumped);
        }
    }

    /// <summary>Detaches from a stopped thread.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="signal">Signal to deliver; 0 for none.</param>
    public void Detach(SampledThread thread, int signal)
    {
        _ = PtraceNative.Trace(PtraceNative.Detach, thread.Id, 0, signal);
        Forget(thread);
    }

    /// <summary>Handles a thread's exec.</summary>
    /// <returns>
    /// The process to detach before this one may continue, because this one is createdump and will dump it; null for none.
    /// </returns>
    public SampledProcess? Exec(SampledThread thread)
    {
        var now = Stopwatch.GetTimestamp();
        var process = thread.Process;
        nint former = 0;
        _ = PtraceNative.Trace(PtraceNative.GetEventMessage, thread.Id, 0, (nint)(&former));
        if (former != thread.Id && _threads.GetValueOrDefault((int)former) is { } caller)
        {
            // A thread other than the first called exec and took over the first one's id. The kernel does not report the end of its own id.
            thread.Paid = caller.Paid;
            Forget(caller);
        }

        thread.Reopen();
        thread.AskedAt = 0;
        (thread.SlicesAtStop, thread.IsAsleep) = (-1, false);
        if (!process.IsSampled)
            thread.PayAll(); // excludes the shell at the gate
        process.IsSampled = true;
        thread.StartClocks();
        WriteClock(thread, now);
        process.ForgetMappings();
        thread.Name = ReadText($"/proc/{process.Id}/task/{thread.Id}/comm");
        _records.Time = now;
        _records.WriteComm(process.Id, thread.Id, thread.Name, isExec: true);
        WriteMappings(process, now);
        if (thread.Name != "createdump" || !_processes.TryGetValue(process.Parent, out var dumped))
            return null;
        dumped.DumpedBy = process.Id;
        return dumped;
    }

    /// <summary>Writes the names of threads with samples in this window, because most are named after their start.</summary>
    public void WriteNames()
    {
        foreach (var thread in _threads.Values)
        {
            if (thread.WindowSamples > 0)
                WriteName(thread);
        }
    }

    /// <summary>Writes CPU time of threads that got no sample in this window, if it is more than a sample may represent.</summary>
    public void WriteUnsampled(long time)
    {
        foreach (var thread in _threads.Values)
            WriteUnsampled(thread, time);
    }

    /// <summary>
    /// Writes a thread's last reading of clocks if they have changed. Only the clocks of a thread that does not run are exact.
    /// </summary>
    public void WriteClock(SampledThread thread, long time)
    {
        if (!thread.Process.IsSampled || thread.CpuClock == thread.Written)
            return;
        _records.Time = time;
        _records.WriteClock(
            thread.Process.Id,
            thread.Id,
            thread.CpuClock,
            thread.ReadyClock,
            thread.CpuClock - Math.Max(0, thread.Written),
            eventId + 1
        );
        thread.Written = thread.CpuClock;
    }

    /// <summary>Writes new mappings from time to time, if code was found outside the known ones.</summary>
    public void WriteNewMappings(SampledProcess process, long now)
    {
        if (process.HasUnknownCode && now - process.MappedAt >= process.MappingPause)
            WriteMappings(process, now);
    }

    public void Dispose()
    {
        foreach (var process in _processes.Values)
            process.Dispose();
    }

    private SampledProcess AddProcess(int id, int parent)
    {
        var process = new SampledProcess(id, parent);
        _processes[id] = process;
        return process;
    }

    private SampledThread AddThread(SampledProcess process, int id)
    {
        var thread = new SampledThread(id, process);
        process.Threads.Add(thread);
        _threads[id] = thread;
        _records.Time = Stopwatch.GetTimestamp();
        // The first thread of the process, even if another thread started it: perf has no parents in other threads.
        var parent = id == process.Id ? process.Parent : process.Id;
        _records.WriteTask(isEnd: false, process.Id, id, parent, parent);
        WriteName(thread);
        return thread;
    }

    private void Forget(SampledThread thread)
    {
        _threads.Remove(thread.Id);
        thread.Process.Threads.Remove(thread);
        thread.Dispose();
    }

    /// <summary>Attaches again to a process after its dump; does nothing when it has ended.</summary>
    private void Attach(SampledProcess process)
    {
        process.DumpedBy = 0;
        int known;
        do
        {
            // Repeats while there are new threads: a thread may start another one before the sampler attaches to it.
            known = process.Threads.Count;
            foreach (var id in ProcessSnapshot.Threads(process.Id))
            {
                if (!_threads.ContainsKey(id) && PtraceNative.Trace(PtraceNative.Seize, id, 0, PtraceNative.Options) == 0)
                {
                    var thread = AddThread(process, id);
                    thread.PayAll();
                    WriteClock(thread, Stopwatch.GetTimestamp());
                }
            }
        } while (process.Threads.Count > known);
    }

    private void WriteName(SampledThread thread)
    {
        var name = ReadText($"/proc/{thread.Process.Id}/task/{thread.Id}/comm");
        if (name.Length == 0 || name == thread.Name)
            return;
        thread.Name = name;
        _records.Time = Stopwatch.GetTimestamp();
        _records.WriteComm(thread.Process.Id, thread.Id, name);
    }

    /// <summary>Writes new mappings with the time of the previous search, so that they precede the samples in them.</summary>
    private void WriteMappings(SampledProcess process, long now)
    {
        var from = process.MappedAt == 0 || process.MappingPause == 0 ? now : Math.Max(process.MappedAt, buffer.WindowStart);
        var added = process.ReadMappings(now, MinMappingPause, MaxMappingPause);
        _records.Time = from;
        foreach (var line in added)
            _records.WriteMapping(process.Id, line);
    }

    private void WriteUnsampled(SampledThread thread, long time)
    {
        var owed = thread.Nanoseconds - thread.Paid;
        if (!thread.Process.IsSampled || thread.WindowSamples > 0 || owed <= buffer.MaxWeight)
            return;
        buffer.AddUnsampled(thread, time, owed);
        thread.Paid = thread.Nanoseconds;
    }

    private static string ReadText(string path)
    {
        try
        {
            return File.ReadAllText(path).TrimEnd('\n');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
