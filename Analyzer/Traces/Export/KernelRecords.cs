using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Second pass over perf.data: hands its records to a format. Allocates for processes, threads and images, and for the stacks of threads that wait.</summary>
/// <param name="events">Receives them.</param>
/// <param name="counts">Counts them.</param>
/// <param name="threads">What the first pass found.</param>
/// <param name="processOf">What is known of a process.</param>
/// <param name="kernelNamesOf">Names of the kernel's code on the stacks of a process.</param>
/// <param name="startTicks">Begin of the trace: earlier records are written at it.</param>
internal sealed class KernelRecords(IMachineEvents events, ExportCounts counts, RecordedThreads threads, Func<int, ProcessFacts> processOf, Func<ProcessFacts, CodeNames> kernelNamesOf, long startTicks)
{
    private readonly long _startTicks = startTicks;

    private const int Executable = 4;

    private readonly FrameBuffer _frames = new();
    private readonly EndedThreads _ended = new();

    /// <summary>A stack with the callers that its chain lacks.</summary>
    private ulong[] _whole = new ulong[512];

    /// <summary>By thread: its name, and where it left its processor.</summary>
    private readonly Dictionary<int, ThreadState> _threads = [];
    private PerfEvent? _wakingEvent;
    private PerfEvent? _switchEvent;
    private SchedWakingLayout? _waking;
    private SchedSwitchLayout? _switch;
    private IReadOnlyDictionary<string, string> _buildIds = new Dictionary<string, string>();

    /// <summary>Time of the last record.</summary>
    public long LastTime { get; private set; } = startTicks;

    /// <summary>Writes what was there when the recording began.</summary>
    public void Begin(PerfDataReader reader, KernelMapping? kernel)
    {
        _wakingEvent = reader.Events.FirstOrDefault(item => SchedWakingLayout.Create(item) is not null);
        _switchEvent = reader.Events.FirstOrDefault(item => PerfDataEvents.IsSwitchWithStack(item) || SchedSwitchLayout.Create(item) is not null);
        _waking = _wakingEvent is null ? null : SchedWakingLayout.Create(_wakingEvent);
        _switch = _switchEvent is null ? null : SchedSwitchLayout.Create(_switchEvent);
        _buildIds = reader.Features.BuildIds;
        events.Begin(_startTicks, threads, kernel);
        counts.Images += kernel is null ? 0 : 1;
        foreach (var (process, list) in threads.Listed)
        {
            WriteProcess(_startTicks, KernelEvents.Listed, processOf(process), 0);
            foreach (var thread in list)
                WriteThread(_startTicks, 0, KernelEvents.Listed, process, thread, "");
        }
    }

    /// <summary>Writes a record.</summary>
    public void Write(in PerfRecord record)
    {
        if (RecordedThreads.IsDamaged(record))
        {
            counts.Undecodable++;
            return;
        }

        var time = Math.Max(record.Time, _startTicks);
        LastTime = Math.Max(LastTime, time);
        _ended.Read(record);
        switch (record.Type)
        {
            case PerfRecordType.Switch or PerfRecordType.SwitchCpuWide:
                WriteSwitch(time, record);
                break;
            case PerfRecordType.Sample when ReferenceEquals(record.Event, _switchEvent):
                KeepPlace(record);
                break;
            case PerfRecordType.Sample when ReferenceEquals(record.Event, _wakingEvent):
                WriteWaking(time, record);
                break;
            case PerfRecordType.Sample when record.Event.SamplesCpuTime:
                WriteSample(time, record);
                break;
            case PerfRecordType.Fork or PerfRecordType.Exit when record.TryReadTask(out var task):
                WriteTask(time, record, task);
                break;
            case PerfRecordType.Comm when record.TryReadComm(out var process, out var thread, out var name):
                WriteName(time, record, process, thread, Encoding.UTF8.GetString(name));
                break;
            case PerfRecordType.Mmap or PerfRecordType.Mmap2 when record.TryReadMapping(out var mapping):
                WriteMapping(time, record, mapping);
                break;
        }
    }

    /// <summary>The records have ended.</summary>
    public void End() => counts.StacksWithoutReturn += _threads.Values.Count(thread => thread.PlaceFrames > 0);

    private void WriteSample(long time, in PerfRecord record)
    {
        var origin = record.Origin;
        var thread = _ended.ThreadOf(origin);
        if (thread < 0)
            return; // an ended thread of no known process
        if (!record.TryReadSample(out var raw))
        {
            counts.Undecodable++;
            return;
        }

        var sample = _frames.Read(raw, thread);
        var processor = Math.Max(0, origin.Cpu);
        counts.Samples++;
        if (origin.ProcessId == 0 || sample.Frames.IsEmpty)
        {
            events.Sample(time, processor, origin.ProcessId, thread, raw.Ip, 0, default);
            return;
        }

        var process = processOf(origin.ProcessId);
        process.LastTime = time;
        var frames = sample.Frames;
        ushort end = 0;
        if (process.Resolver is { } resolver && resolver.Recovery.TryRecover(sample))
        {
            // Where the walk stands for the whole chain, it says itself whether it came to the thread's begin.
            if (resolver.Recovery.ResumesAt == frames.Length)
                end = resolver.Recovery.ReachesStart ? Etw.KernelPayload.StackIsWhole : Etw.KernelPayload.StackIsCut;
            frames = WithCallers(sample, resolver.Recovery.Callers, resolver.Recovery.ResumesAt);
            counts.RecoveredStacks++;
        }

        events.Sample(time, processor, process.ProcessId, thread, raw.Ip, end, frames);
        AddNames(time, process, frames, sample.KernelFrames);
    }

    /// <summary>The leaf, the callers that were found, and what follows them in the chain.</summary>
    private ReadOnlySpan<ulong> WithCallers(in CpuSample sample, ReadOnlySpan<ulong> callers, int resumesAt)
    {
        var leaf = sample.KernelFrames + 1;
        var rest = sample.Frames[resumesAt..];
        if (_whole.Length < leaf + callers.Length + rest.Length)
            _whole = new ulong[leaf + callers.Length + rest.Length];
        sample.Frames[..leaf].CopyTo(_whole);
        callers.CopyTo(_whole.AsSpan(leaf));
        rest.CopyTo(_whole.AsSpan(leaf + callers.Length));
        return _whole.AsSpan(0, leaf + callers.Length + rest.Length);
    }

    private void AddNames(long time, ProcessFacts process, ReadOnlySpan<ulong> frames, int kernelFrames)
    {
        counts.Stacks++;
        for (var i = 0; i < frames.Length; i++)
        {
            // As CpuSample.CodeAddress: a return address lies behind its call.
            var isKernel = i < kernelFrames;
            var names = isKernel ? kernelNamesOf(process) : process.Names;
            names?.Add(i == 0 || i == kernelFrames ? frames[i] : Math.Max(frames[i], 1) - 1, time, isKernel);
        }
    }

    private void WriteSwitch(long time, in PerfRecord record)
    {
        var origin = record.Origin;
        if (origin.ProcessId < 0 || origin.ThreadId < 0)
            return; // the last switch of a thread that has ended: its end was written
        var processor = Math.Max(0, origin.Cpu);
        var state = CollectionsMarshal.GetValueRefOrAddDefault(_threads, origin.ThreadId, out _) ??= new ThreadState();
        counts.Switches++;
        processOf(origin.ProcessId).LastTime = time;
        if (record.IsSwitchOut)
        {
            var (left, reason) = WaitStates.Of(record.IsPreempted, state.PreviousState);
            state.PreviousState = null;
            events.SwitchedOut(time, processor, origin.ProcessId, origin.ThreadId, left, reason);
            return;
        }

        var frames = origin.ProcessId == 0 ? default : state.Place.AsSpan(0, state.PlaceFrames);
        events.SwitchedIn(time, processor, origin.ProcessId, origin.ThreadId, frames);
        if (frames.IsEmpty)
            return;
        AddNames(time, processOf(origin.ProcessId), frames, state.PlaceKernelFrames);
        state.PlaceFrames = 0;
    }

    /// <summary>A thread is about to leave its processor (sched_switch): Windows logs where it was when it comes back.</summary>
    private void KeepPlace(in PerfRecord record)
    {
        var origin = record.Origin;
        if (origin.ProcessId <= 0 || origin.ThreadId <= 0)
            return;
        if (!record.TryReadSample(out var sample))
        {
            counts.Undecodable++;
            return;
        }

        var state = CollectionsMarshal.GetValueRefOrAddDefault(_threads, origin.ThreadId, out _) ??= new ThreadState();
        state.PreviousState = _switch is { } layout && layout.TryRead(sample.Raw, out _, out var previous, out _) ? previous : null;
        state.PlaceFrames = 0;
        if ((_switchEvent!.Settings.SampleFields & PerfSampleFields.CallChain) == 0)
            return;
        var place = _frames.Read(sample, origin.ThreadId);
        var frames = place.Frames;
        if (processOf(origin.ProcessId).Resolver is { } resolver && resolver.Recovery.TryRecover(place))
            frames = WithCallers(place, resolver.Recovery.Callers, resolver.Recovery.ResumesAt);
        if (state.Place.Length < frames.Length)
            state.Place = new ulong[frames.Length];
        frames.CopyTo(state.Place);
        (state.PlaceFrames, state.PlaceKernelFrames) = (frames.Length, place.KernelFrames);
    }

    private void WriteWaking(long time, in PerfRecord record)
    {
        if (!record.TryReadSample(out var sample) || !_waking!.TryRead(sample.Raw, out var thread, out _))
        {
            counts.Undecodable++;
            return;
        }

        var origin = record.Origin;
        events.ReadyThread(time, Math.Max(0, origin.Cpu), Math.Max(0, origin.ProcessId), Math.Max(0, origin.ThreadId), thread);
        counts.Wakings++;
    }

    private void WriteTask(long time, in PerfRecord record, in PerfTask task)
    {
        var processor = Math.Max(0, record.Origin.Cpu);
        if (task.ProcessId <= 0 || task.ThreadId <= 0)
            return;
        var process = processOf(task.ProcessId);
        if (record.Type == PerfRecordType.Fork)
        {
            // A thread has its parent's name until it gets its own.
            var name = _threads.TryGetValue(task.ParentThreadId, out var parent) ? parent.Name : "";
            if (task.ProcessId != task.ParentProcessId)
            {
                process.Images.Clear();
                WriteProcess(time, KernelEvents.Start, process, task.ParentProcessId);
            }

            _threads[task.ThreadId] = new ThreadState();
            WriteThread(time, processor, KernelEvents.Start, task.ProcessId, task.ThreadId, name);
            if (name.Length > 0 && task.ProcessId == task.ParentProcessId)
                WriteThreadName(time, processor, task.ProcessId, task.ThreadId, name);
            return;
        }

        events.SwitchedOut(time, processor, task.ProcessId, task.ThreadId, KernelEvents.Terminated, 22); // WrTerminated
        counts.Switches++;
        events.Thread(time, processor, KernelEvents.End, task.ProcessId, task.ThreadId, "");
        _threads.Remove(task.ThreadId);
        if (--process.LivingThreads == 0)
            events.Process(time, KernelEvents.End, process, threads.Parents.GetValueOrDefault(process.ProcessId), process.ExitCode);
    }

    private void WriteName(long time, in PerfRecord record, int process, int thread, string name)
    {
        if (process <= 0 || thread <= 0)
            return;
        var processor = Math.Max(0, record.Origin.Cpu);
        if (record.IsExec)
        {
            // The process began to run another program: what was mapped is gone.
            var images = processOf(process).Images;
            foreach (var (start, image) in images)
                events.Image(time, processor, KernelEvents.End, process, start, image.Length, 0, image.Path, "");
            images.Clear();
        }

        WriteThreadName(time, processor, process, thread, name);
    }

    private void WriteMapping(long time, in PerfRecord record, in PerfMapping mapping)
    {
        if (mapping.ProcessId <= 0 || (record.Type == PerfRecordType.Mmap2 && (mapping.Protection & Executable) == 0))
            return;
        var path = Encoding.UTF8.GetString(mapping.Path);

        if (path.Length == 0 || path.StartsWith("//anon", StringComparison.Ordinal) || path.StartsWith("/memfd:", StringComparison.Ordinal))
        {
            events.Memory(time, mapping.ProcessId, mapping.Address, mapping.Length);
            return;
        }

        var buildId = mapping.BuildId.Length > 0 ? Convert.ToHexStringLower(mapping.BuildId) : _buildIds.GetValueOrDefault(path, "");
        events.Image(time, Math.Max(0, record.Origin.Cpu), KernelEvents.Start, mapping.ProcessId, mapping.Address, mapping.Length, mapping.PageOffset, path, buildId);
        processOf(mapping.ProcessId).Images[mapping.Address] = (mapping.Length, path);
        counts.Images++;
    }

    private void WriteProcess(long time, byte type, ProcessFacts process, int parent)
    {
        events.Process(time, type, process, parent, type == KernelEvents.End ? process.ExitCode : 259); // STILL_ACTIVE
        process.LivingThreads = 0;
        counts.Processes++;
    }

    private void WriteThread(long time, int processor, byte type, int process, int thread, string name)
    {
        events.Thread(time, processor, type, process, thread, name);
        processOf(process).LivingThreads++;
        counts.Threads++;
    }

    private void WriteThreadName(long time, int processor, int process, int thread, string name)
    {
        events.ThreadName(time, processor, process, thread, name);
        (CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out _) ??= new ThreadState()).Name = name;
        counts.ThreadNames++;
    }

    /// <summary>What is known of a thread.</summary>
    private sealed class ThreadState
    {
        public string Name { get; set; } = "";

        /// <summary>TASK_* bits at its switch-out to come; null when they are not recorded.</summary>
        public long? PreviousState { get; set; }

        /// <summary>Addresses of the place where it left its processor.</summary>
        public ulong[] Place { get; set; } = [];

        public int PlaceFrames { get; set; }

        public int PlaceKernelFrames { get; set; }
    }
}
