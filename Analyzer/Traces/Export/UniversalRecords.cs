using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Second pass over a machine-wide .nettrace file (record-trace): passes its events to a format. Memory grows with processes, threads and
/// context switches.
/// </summary>
/// <remarks>
/// The trace has one event for each time that a thread is off the processors; <see cref="SwitchList"/> finds the other end, as for reports.
/// record-trace writes neither starts nor ends of threads (an export of esp-analyze has the ends). A thread of a process that started in
/// the trace starts with its first event; the others are listed at the start.
/// </remarks>
/// <param name="machine">Writes them.</param>
/// <param name="trace">The trace.</param>
/// <param name="writeOther">Writes the events of runtimes and event sources.</param>
internal sealed class UniversalRecords(MachineWriter machine, UniversalTrace trace, NetTraceEventAction writeOther)
{
    private readonly IMachineEvents _events = machine.Events;
    private readonly ExportCounts _counts = machine.Counts;

    /// <summary>Written processes with their threads.</summary>
    private readonly Dictionary<int, List<int>> _processes = [];
    private readonly Dictionary<int, ThreadState> _threads = [];

    /// <summary>Processes by the time of their next switch without an event, and the number of these that were written.</summary>
    private readonly PriorityQueue<(int Process, IReadOnlyList<ThreadSwitch> Switches, int Next), long> _switches = new();

    /// <summary>Writes the state when the recording began.</summary>
    public void Begin(KernelMapping? kernel)
    {
        machine.Begin(kernel);
        foreach (var (process, threads) in machine.Threads.Listed)
        {
            _processes.Add(process, [.. threads]);
            foreach (var thread in threads)
                _threads[thread] = new ThreadState(process);
        }

        foreach (var process in trace.Processes)
        {
            if (trace.OtherSwitches(process) is { Count: > 0 } switches)
                _switches.Enqueue((process.Id, switches, 0), switches[0].Time);
        }
    }

    public void Write(in NetTraceEvent item)
    {
        if (RecordedThreads.IsDamaged(item))
        {
            _counts.Undecodable++;
            return;
        }

        WriteSwitchesUntil(item.Time);
        var time = machine.At(item.Time);
        switch (item.Type.Universal)
        {
            case UniversalEventKind.Process:
                EnsureProcess(time, item.ProcessId);
                break;
            case UniversalEventKind.Mapping:
                WriteMapping(time, item);
                break;
            case UniversalEventKind.Symbol:
                WriteSymbol(time, item);
                break;
            case UniversalEventKind.CpuSample:
                WriteSample(time, item);
                break;
            case UniversalEventKind.ContextSwitch when item.ThreadId > 0: // 0 or less: the thread has ended
                WriteSwitch(time, item);
                break;
            case UniversalEventKind.SwitchedOut when item.ThreadId > 0:
                WriteSwitchedOut(time, item);
                break;
            case UniversalEventKind.ThreadReadied:
                _events.ReadyThread(
                    time,
                    ProcessorOf(item),
                    Math.Max(item.ProcessId, 0),
                    Math.Max(item.ThreadId, 0),
                    (int)Math.Min(UniversalPayload.ReadValue(item.Payload), int.MaxValue)
                );
                _counts.ReadyEvents++;
                break;
            case UniversalEventKind.ProcessExited:
                EndProcess(time, item.ProcessId);
                break;
            case UniversalEventKind.None or UniversalEventKind.OtherDescription:
                if (item.ProcessId > 0)
                    machine.ProcessOf(item.ProcessId).LastTime = time;
                writeOther(item);
                break;
        }
    }

    /// <summary>Called after the last event.</summary>
    public void End()
    {
        WriteSwitchesUntil(long.MaxValue);
        _counts.StacksWithoutReturn += _threads.Values.Count(thread => !thread.SwitchOutStack.Frames.IsEmpty);
    }

    private void WriteSample(long time, in NetTraceEvent item)
    {
        _counts.Samples++;
        var address = item.Stack.IsEmpty ? 0 : item.Stack[0];
        if (item.ProcessId <= 0)
        {
            _events.Sample(time, ProcessorOf(item), 0, 0, address, 0, default);
            return;
        }

        // The thread no longer exists; the first thread of its process represents it.
        var thread = item.ThreadId > 0 ? item.ThreadId : item.ProcessId;
        var process = EnsureThread(time, item.ProcessId, thread, ProcessorOf(item)).Process;
        var kernelFrames = KernelNames.FramesOf(item.Stack);
        var frames = WithCallers(time, process, thread, item.Stack, kernelFrames, out var end);
        if (end == 0 && trace.Layout.Header.IsExported)
            end = UniversalPayload.ReadStackEnd(item.Payload);
        _events.Sample(time, ProcessorOf(item), process.ProcessId, thread, address, end, frames);
        if (!frames.IsEmpty)
            machine.AddNames(time, process, frames, kernelFrames);
    }

    private ReadOnlySpan<ulong> WithCallers(
        long time,
        ProcessFacts process,
        int thread,
        ReadOnlySpan<ulong> stack,
        int kernelFrames,
        out ushort end
    )
    {
        end = 0;
        return stack.IsEmpty
            ? stack
            : machine.WithCallers(
                process,
                new CpuSample(new EventAt(time, process.ProcessId, thread), 0, kernelFrames > 0, stack, kernelFrames),
                out end
            );
    }

    private void WriteSwitch(long time, in NetTraceEvent item)
    {
        var (process, state) = EnsureThread(time, item.ProcessId, item.ThreadId, ProcessorOf(item));
        var kernelFrames = KernelNames.FramesOf(item.Stack);
        var frames = WithCallers(time, process, item.ThreadId, item.Stack, kernelFrames, out _);
        if (trace.SwitchesAreOut)
        {
            state.SwitchOutStack.Keep(frames, kernelFrames);
            SwitchOut(time, process, item.ThreadId, ProcessorOf(item), trace.Kernel.IsPreempted(item.Stack));
            return;
        }

        _counts.Switches++;
        _events.SwitchedIn(time, ProcessorOf(item), process.ProcessId, item.ThreadId, frames);
        if (!frames.IsEmpty)
            machine.AddNames(time, process, frames, kernelFrames);
    }

    private void WriteSwitchedOut(long time, in NetTraceEvent item)
    {
        var (process, state) = EnsureThread(time, item.ProcessId, item.ThreadId, ProcessorOf(item));
        var how = UniversalPayload.ReadValue(item.Payload);
        if (how == UniversalEventKinds.Ended)
        {
            _counts.Switches++;
            _events.SwitchedOut(time, ProcessorOf(item), process.ProcessId, item.ThreadId, KernelEvents.Terminated, WaitStates.Terminated);
            machine.EndThread(time, ProcessorOf(item), process, item.ThreadId);
            state.HasEnded = true;
        }
        else
        {
            SwitchOut(time, process, item.ThreadId, ProcessorOf(item), how == UniversalEventKinds.Preempted);
        }
    }

    private void SwitchOut(long time, ProcessFacts process, int thread, int processor, bool isPreempted)
    {
        var (left, reason) = WaitStates.Of(isPreempted, null);
        _counts.Switches++;
        _events.SwitchedOut(time, processor, process.ProcessId, thread, left, reason);
    }

    /// <summary>Writes the switches without an event up to a time, the oldest first.</summary>
    private void WriteSwitchesUntil(long until)
    {
        while (_switches.TryPeek(out var next, out var at) && at <= until)
        {
            var (id, switches, index) = next;
            if (index + 1 < switches.Count)
                _switches.DequeueEnqueue((id, switches, index + 1), switches[index + 1].Time);
            else
                _switches.Dequeue();
            WriteSwitch(machine.At(at), id, switches[index]);
        }
    }

    private void WriteSwitch(long time, int id, in ThreadSwitch item)
    {
        // A damaged event, which is not written, may have any number here.
        var processor = Math.Clamp(item.Processor, 0, machine.Threads.LastProcessor);
        var (process, state) = EnsureThread(time, id, item.ThreadId, processor);
        if (item.IsOut)
        {
            SwitchOut(time, process, item.ThreadId, processor, isPreempted: false);
            return;
        }

        _counts.Switches++;
        var frames = state.SwitchOutStack.Frames;
        _events.SwitchedIn(time, processor, process.ProcessId, item.ThreadId, frames);
        if (frames.IsEmpty)
            return;
        machine.AddNames(time, process, frames, state.SwitchOutStack.KernelFrames);
        state.SwitchOutStack.Clear();
    }

    private void WriteMapping(long time, in NetTraceEvent item)
    {
        if (item.ProcessId <= 0 || !UniversalPayload.TryReadMapping(item.Payload, trace.Texts, out var mapping) || mapping.IsKernel)
            return; // the kernel's was written with its process
        EnsureProcess(time, item.ProcessId);
        machine.Map(
            time,
            ProcessorOf(item),
            machine.ProcessOf(item.ProcessId),
            mapping.Start,
            mapping.End - mapping.Start,
            mapping.FileOffset,
            mapping.Path,
            trace.BuildIdOf(mapping)
        );
    }

    private void WriteSymbol(long time, in NetTraceEvent item)
    {
        if (item.ProcessId <= 0 || !UniversalPayload.TryReadSymbol(item.Payload, out var symbol))
            return;
        EnsureProcess(time, item.ProcessId);
        _events.Symbol(time, item.ProcessId, trace.IsKernel(symbol.MappingId), symbol.Start, symbol.Last, trace.Texts.Of(symbol.Name));
    }

    /// <summary>An unlisted process starts with its first event.</summary>
    private void EnsureProcess(long time, int id)
    {
        if (id <= 0 || _processes.ContainsKey(id))
            return;
        _processes.Add(id, []);
        var process = machine.ProcessOf(id);
        process.Images.Clear();
        machine.BeginProcess(time, process, 0);
    }

    private (ProcessFacts Process, ThreadState State) EnsureThread(long time, int processId, int thread, int processor)
    {
        EnsureProcess(time, processId);
        var process = machine.ProcessOf(processId);
        process.LastTime = time;
        ref var state = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out _);
        if (state?.ProcessId != processId)
        {
            state = new ThreadState(processId);
            if (_processes.TryGetValue(processId, out var threads))
                threads.Add(thread);
            var name = machine.Threads.ThreadNames.GetValueOrDefault((processId, thread), "");
            machine.BeginThread(time, processor, process, thread, name);
            if (name.Length > 0)
                machine.NameThread(time, processor, processId, thread, name);
        }

        return (process, state);
    }

    private void EndProcess(long time, int id)
    {
        // record-trace also writes a process end when one of its threads ends.
        if (machine.Threads.LastSeen.GetValueOrDefault(id) > time || !_processes.Remove(id, out var threads))
            return;
        var process = machine.ProcessOf(id);
        foreach (var thread in threads.Where(thread => _threads.TryGetValue(thread, out var state) && state.ProcessId == id))
        {
            _threads.Remove(thread, out var state);
            if (state!.HasEnded)
                continue;
            machine.EndThread(time, 0, process, thread);
        }

        machine.EndProcess(time, process);
    }

    private static int ProcessorOf(in NetTraceEvent item) => Math.Max(item.Processor, 0);

    /// <summary>State of a thread.</summary>
    private sealed class ThreadState(int processId)
    {
        public int ProcessId => processId;

        public KeptStack SwitchOutStack { get; } = new();

        /// <summary>Whether its end was written. It is kept because samples can follow.</summary>
        public bool HasEnded { get; set; }
    }
}
