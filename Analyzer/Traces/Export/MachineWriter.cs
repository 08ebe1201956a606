using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Writes and counts processes, threads and code of perf.data and NetTrace 6, and collects stack addresses to name them.</summary>
/// <param name="events">Receives it.</param>
/// <param name="counts">Counts it.</param>
/// <param name="threads">Result of the first pass.</param>
/// <param name="processOf">Facts of a process.</param>
/// <param name="kernelNamesOf">Kernel names for the stacks of a process; null where the trace has them itself.</param>
/// <param name="startTicks">Start of the trace; earlier events get this time.</param>
internal sealed class MachineWriter(
    IMachineEvents events,
    ExportCounts counts,
    RecordedThreads threads,
    Func<int, ProcessFacts> processOf,
    Func<ProcessFacts, CodeNames?> kernelNamesOf,
    long startTicks
)
{
    private readonly long _startTicks = startTicks;

    /// <summary>A stack with the callers that its chain lacks.</summary>
    private ulong[] _whole = new ulong[512];

    public IMachineEvents Events => events;

    public ExportCounts Counts => counts;

    public RecordedThreads Threads => threads;

    /// <summary>Time of the last event.</summary>
    public long LastTime { get; private set; } = startTicks;

    /// <summary>Facts of a process.</summary>
    public ProcessFacts ProcessOf(int process) => processOf(process);

    /// <summary>The written time for a recorded time.</summary>
    public long At(long time)
    {
        time = Math.Max(time, _startTicks);
        LastTime = Math.Max(LastTime, time);
        return time;
    }

    /// <summary>Writes the state when the recording began.</summary>
    public void Begin(KernelMapping? kernel)
    {
        events.Begin(_startTicks, threads, kernel);
        counts.Images += kernel is null ? 0 : 1;
        foreach (var (id, list) in threads.Listed)
        {
            var process = processOf(id);
            WriteProcess(_startTicks, KernelEvents.Listed, process, 0);
            foreach (var thread in list)
            {
                var name = threads.ThreadNames.GetValueOrDefault((id, thread), "");
                WriteThread(_startTicks, 0, KernelEvents.Listed, process, thread, name);
                if (name.Length > 0)
                    NameThread(_startTicks, 0, id, thread, name);
            }
        }
    }

    /// <summary>A process began.</summary>
    public void BeginProcess(long time, ProcessFacts process, int parent) => WriteProcess(time, KernelEvents.Start, process, parent);

    /// <summary>A process ended.</summary>
    public void EndProcess(long time, ProcessFacts process) =>
        events.Process(time, KernelEvents.End, process, threads.Parents.GetValueOrDefault(process.ProcessId), process.ExitCode);

    /// <summary>A thread began.</summary>
    public void BeginThread(long time, int processor, ProcessFacts process, int thread, string name) =>
        WriteThread(time, processor, KernelEvents.Start, process, thread, name);

    /// <summary>A thread ended.</summary>
    public void EndThread(long time, int processor, ProcessFacts process, int thread)
    {
        events.Thread(time, processor, KernelEvents.End, process.ProcessId, thread, "");
        process.LivingThreads--;
    }

    /// <summary>A thread got a name.</summary>
    public void NameThread(long time, int processor, int process, int thread, string name)
    {
        events.ThreadName(time, processor, process, thread, name);
        counts.ThreadNames++;
    }

    /// <summary>A process mapped code.</summary>
    public void Map(
        long time,
        int processor,
        ProcessFacts process,
        ulong start,
        ulong length,
        ulong fileOffset,
        string path,
        string buildId
    )
    {
        if (path.Length == 0 || path.StartsWith("//anon", StringComparison.Ordinal) || path.StartsWith("/memfd:", StringComparison.Ordinal))
        {
            events.Memory(time, process.ProcessId, start, length);
            return;
        }

        events.Image(time, processor, KernelEvents.Start, process.ProcessId, start, length, fileOffset, path, buildId);
        process.Images[start] = (length, path);
        counts.Images++;
    }

    /// <summary>A process executed another program: its mappings are gone.</summary>
    public void UnloadImages(long time, int processor, ProcessFacts process)
    {
        foreach (var (start, image) in process.Images)
            events.Image(time, processor, KernelEvents.End, process.ProcessId, start, image.Length, 0, image.Path, "");
        process.Images.Clear();
    }

    /// <summary>A stack with the callers that its chain lacks; valid until the next one.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="stack">The stack as it was recorded.</param>
    /// <param name="end">Describes its end (<see cref="Etw.KernelPayload.StackIsCut"/>); 0 when unknown.</param>
    public ReadOnlySpan<ulong> WithCallers(ProcessFacts process, scoped in CpuSample stack, out ushort end)
    {
        end = 0;
        if (process.Resolver?.Recovery is not { } recovery || !recovery.TryRecover(stack))
            return stack.Frames;

        // If the walk replaces the whole chain, it knows whether it reached the thread's start.
        if (recovery.ResumesAt == stack.Frames.Length)
            end = recovery.ReachesStart ? Etw.KernelPayload.StackIsWhole : Etw.KernelPayload.StackIsCut;

        // The leaf, the recovered callers, and the rest of the chain.
        var leaf = stack.KernelFrames + 1;
        var callers = recovery.Callers;
        var rest = stack.Frames[recovery.ResumesAt..];
        if (_whole.Length < leaf + callers.Length + rest.Length)
            _whole = new ulong[leaf + callers.Length + rest.Length];
        stack.Frames[..leaf].CopyTo(_whole);
        callers.CopyTo(_whole.AsSpan(leaf));
        rest.CopyTo(_whole.AsSpan(leaf + callers.Length));
        return _whole.AsSpan(0, leaf + callers.Length + rest.Length);
    }

    /// <summary>Collects a stack's addresses, which get names at the end of the trace.</summary>
    public void AddNames(long time, ProcessFacts process, ReadOnlySpan<ulong> frames, int kernelFrames)
    {
        counts.Stacks++;
        for (var i = 0; i < frames.Length; i++)
        {
            // As CpuSample.CodeAddress: a return address follows its call.
            var isKernel = i < kernelFrames;
            var names = isKernel ? kernelNamesOf(process) : process.Names;
            names?.Add(i == 0 || i == kernelFrames ? frames[i] : Math.Max(frames[i], 1) - 1, time, isKernel);
        }
    }

    private void WriteProcess(long time, byte type, ProcessFacts process, int parent)
    {
        events.Process(time, type, process, parent, 259); // STILL_ACTIVE
        process.LivingThreads = 0;
        counts.Processes++;
    }

    private void WriteThread(long time, int processor, byte type, ProcessFacts process, int thread, string name)
    {
        events.Thread(time, processor, type, process.ProcessId, thread, name);
        process.LivingThreads++;
        counts.Threads++;
    }
}
