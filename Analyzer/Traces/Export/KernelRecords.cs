using System.Runtime.InteropServices;
using System.Text;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Second pass over perf.data: passes its records to a format. Allocates for processes, threads, images and the stacks of waiting threads.
/// </summary>
/// <param name="machine">Writes them.</param>
/// <param name="reader">The file.</param>
internal sealed class KernelRecords(MachineWriter machine, PerfDataReader reader)
{
    private const int Executable = 4;

    private readonly IMachineEvents _events = machine.Events;
    private readonly ExportCounts _counts = machine.Counts;

    private readonly PerfDataEvents _file = new(reader);

    /// <summary>Name and switch-out stack of each thread.</summary>
    private readonly Dictionary<int, ThreadState> _threads = [];

    /// <summary>The event whose samples have state or stack of switch-outs; null without one.</summary>
    private readonly PerfEvent? _switchEvent = reader.Events.FirstOrDefault(item =>
        PerfDataEvents.IsSwitchWithStack(item) || SchedSwitchLayout.Create(item) is not null
    );

    /// <summary>Whether context switches were recorded; if not, the end of a thread is not written as one.</summary>
    private readonly bool _hasSwitches = reader.Events.Any(item => (item.Settings.Bits & PerfEventBits.ContextSwitch) != 0);
    private SchedSwitchLayout? _switch;

    /// <summary>Writes the state when the recording began.</summary>
    public void Begin(KernelMapping? kernel)
    {
        _switch = _switchEvent is null ? null : SchedSwitchLayout.Create(_switchEvent);
        machine.Begin(kernel);
    }

    /// <summary>Writes a record.</summary>
    public void Write(in PerfRecord record)
    {
        if (RecordedThreads.IsDamaged(record))
        {
            _counts.Undecodable++;
            return;
        }

        var time = machine.At(record.Time);
        _file.Read(record);
        switch (record.Type)
        {
            case PerfRecordType.Switch or PerfRecordType.SwitchCpuWide:
                WriteSwitch(time, record);
                break;
            case PerfRecordType.Sample when ReferenceEquals(record.Event, _switchEvent):
                KeepSwitchOutStack(record);
                break;
            case PerfRecordType.Sample when _file.IsWaking(record):
                WriteReadied(time, record);
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

    /// <summary>Called after the last record.</summary>
    public void End() => _counts.StacksWithoutReturn += _threads.Values.Count(thread => !thread.SwitchOutStack.Frames.IsEmpty);

    private void WriteSample(long time, in PerfRecord record)
    {
        var origin = record.Origin;
        var thread = _file.Ended.ThreadOf(origin);
        if (thread < 0)
            return; // an ended thread of an unknown process
        if (!record.TryReadSample(out var raw))
        {
            _counts.Undecodable++;
            return;
        }

        var sample = _file.Frames.Read(raw, thread);
        var processor = Math.Max(0, origin.Cpu);
        _counts.Samples++;
        if (origin.ProcessId == 0 || sample.Frames.IsEmpty)
        {
            _events.Sample(time, processor, origin.ProcessId, thread, raw.Ip, 0, default);
            return;
        }

        var process = machine.ProcessOf(origin.ProcessId);
        process.LastTime = time;
        var frames = machine.WithCallers(process, sample, out var end);
        _events.Sample(time, processor, process.ProcessId, thread, raw.Ip, end, frames);
        machine.AddNames(time, process, frames, sample.KernelFrames);
    }

    private void WriteSwitch(long time, in PerfRecord record)
    {
        var origin = record.Origin;
        if (origin.ProcessId < 0 || origin.ThreadId < 0)
            return; // the last switch of an ended thread, whose end was already written
        var processor = Math.Max(0, origin.Cpu);
        var state = CollectionsMarshal.GetValueRefOrAddDefault(_threads, origin.ThreadId, out _) ??= new ThreadState();
        _counts.Switches++;
        machine.ProcessOf(origin.ProcessId).LastTime = time;
        if (record.IsSwitchOut)
        {
            var (left, reason) = WaitStates.Of(record.IsPreempted, state.PreviousState);
            state.PreviousState = null;
            if (_file.AreSwitchStacksOmitted && !record.IsPreempted)
                _counts.UnsampledSwitchStacks++;
            _events.SwitchedOut(time, processor, origin.ProcessId, origin.ThreadId, left, reason);
            return;
        }

        var frames = origin.ProcessId == 0 ? default : state.SwitchOutStack.Frames;
        _events.SwitchedIn(time, processor, origin.ProcessId, origin.ThreadId, frames);
        if (frames.IsEmpty)
            return;
        machine.AddNames(time, machine.ProcessOf(origin.ProcessId), frames, state.SwitchOutStack.KernelFrames);
        state.SwitchOutStack.Clear();
    }

    /// <summary>A thread is about to be switched out (sched_switch); Windows logs its stack at the next switch-in.</summary>
    private void KeepSwitchOutStack(in PerfRecord record)
    {
        var origin = record.Origin;
        if (origin.ProcessId <= 0 || origin.ThreadId <= 0)
            return;
        if (!record.TryReadSample(out var sample))
        {
            _counts.Undecodable++;
            return;
        }

        var state = CollectionsMarshal.GetValueRefOrAddDefault(_threads, origin.ThreadId, out _) ??= new ThreadState();
        state.PreviousState = _switch is { } layout && layout.TryRead(sample.Raw, out _, out var previous, out _) ? previous : null;
        state.SwitchOutStack.Clear();
        if ((_switchEvent!.Settings.SampleFields & PerfSampleFields.CallChain) == 0)
            return;
        var place = _file.Frames.Read(sample, origin.ThreadId);
        state.SwitchOutStack.Keep(machine.WithCallers(machine.ProcessOf(origin.ProcessId), place, out _), place.KernelFrames);
    }

    private void WriteReadied(long time, in PerfRecord record)
    {
        if (!record.TryReadSample(out var sample) || !_file.Waking!.TryRead(sample.Raw, out var thread, out _))
        {
            _counts.Undecodable++;
            return;
        }

        var origin = record.Origin;
        _events.ReadyThread(time, Math.Max(0, origin.Cpu), Math.Max(0, origin.ProcessId), Math.Max(0, origin.ThreadId), thread);
        _counts.ReadyEvents++;
    }

    private void WriteTask(long time, in PerfRecord record, in PerfTask task)
    {
        var processor = Math.Max(0, record.Origin.Cpu);
        if (task.ProcessId <= 0 || task.ThreadId <= 0)
            return;
        var process = machine.ProcessOf(task.ProcessId);
        if (record.Type == PerfRecordType.Fork)
        {
            // A thread has its parent's name until it is named.
            var name = _threads.TryGetValue(task.ParentThreadId, out var parent) ? parent.Name : "";
            if (task.ProcessId != task.ParentProcessId)
            {
                process.Images.Clear();
                machine.BeginProcess(time, process, task.ParentProcessId);
            }

            _threads[task.ThreadId] = new ThreadState();
            machine.BeginThread(time, processor, process, task.ThreadId, name);
            if (name.Length > 0 && task.ProcessId == task.ParentProcessId)
                WriteThreadName(time, processor, task.ProcessId, task.ThreadId, name);
            return;
        }

        if (_hasSwitches)
        {
            _events.SwitchedOut(time, processor, task.ProcessId, task.ThreadId, KernelEvents.Terminated, WaitStates.Terminated);
            _counts.Switches++;
        }

        machine.EndThread(time, processor, process, task.ThreadId);
        _threads.Remove(task.ThreadId);
        if (process.LivingThreads == 0)
            machine.EndProcess(time, process);
    }

    private void WriteName(long time, in PerfRecord record, int process, int thread, string name)
    {
        if (process <= 0 || thread <= 0)
            return;
        var processor = Math.Max(0, record.Origin.Cpu);
        if (record.IsExec)
            machine.UnloadImages(time, processor, machine.ProcessOf(process));
        WriteThreadName(time, processor, process, thread, name);
    }

    private void WriteMapping(long time, in PerfRecord record, in PerfMapping mapping)
    {
        if (mapping.ProcessId <= 0 || (record.Type == PerfRecordType.Mmap2 && (mapping.Protection & Executable) == 0))
            return;
        var path = Encoding.UTF8.GetString(mapping.Path);
        var buildId =
            mapping.BuildId.Length > 0 ? Convert.ToHexStringLower(mapping.BuildId) : _file.Features.BuildIds.GetValueOrDefault(path, "");
        machine.Map(
            time,
            Math.Max(0, record.Origin.Cpu),
            machine.ProcessOf(mapping.ProcessId),
            mapping.Address,
            mapping.Length,
            mapping.PageOffset,
            path,
            buildId
        );
    }

    private void WriteThreadName(long time, int processor, int process, int thread, string name)
    {
        machine.NameThread(time, processor, process, thread, name);
        (CollectionsMarshal.GetValueRefOrAddDefault(_threads, thread, out _) ??= new ThreadState()).Name = name;
    }

    /// <summary>State of a thread.</summary>
    private sealed class ThreadState
    {
        public string Name { get; set; } = "";

        /// <summary>TASK_* bits of the coming switch-out; null when not recorded.</summary>
        public long? PreviousState { get; set; }

        public KeptStack SwitchOutStack { get; } = new();
    }
}
