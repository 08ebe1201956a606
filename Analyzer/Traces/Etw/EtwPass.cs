using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>One pass over a trace for any number of its processes; dispatches each event to its process.</summary>
/// <param name="trace">The trace.</param>
/// <param name="processes">The processes to read.</param>
internal sealed class EtwPass(EtwTrace trace, IReadOnlyList<EtwProcessPass> processes)
{
    /// <summary>The kernel logs its own images for process 0.</summary>
    private const int KernelProcess = 0;

    /// <summary>Its threads run when no other thread does.</summary>
    private const int IdleProcess = 0;

    private readonly IdTable<EtwProcessPass> _byId = ById(processes);

    /// <summary>Processes that need samples of other processes.</summary>
    private readonly EtwProcessPass[] _hearOthers = [.. processes.Where(process => (process.Wanted & EventKinds.OtherProcesses) != 0)];

    /// <summary>Kinds that any process needs.</summary>
    private readonly EventKinds _wanted = processes.Aggregate(EventKinds.None, (all, process) => all | process.Wanted);

    /// <summary>Whether any process needs stacks of runtime events.</summary>
    private readonly bool _wantsStacks = processes.Any(process => process.WantsStacks);

    /// <summary>Reads the whole trace.</summary>
    /// <returns>Losses and damage.</returns>
    public EtlStatistics Read()
    {
        using var reader = trace.OpenReader();
        while (reader.TryRead(out var item))
        {
            if (item.IsKernel)
                ReadKernelEvent(item);
            else if (_byId.Get(item.ProcessId) is { } process && item.ProviderId is var provider && ClrEventDispatcher.Knows(provider))
                process.ReadClrEvent(item, provider);
            else if (item.ProcessId == KernelProcess && trace.IsExported && ClrEventDispatcher.IsRundown(item.ProviderId))
                ReadKernelName(item);
        }

        foreach (var process in processes)
            process.End();
        return reader.Statistics;
    }

    private static IdTable<EtwProcessPass> ById(IReadOnlyList<EtwProcessPass> processes)
    {
        var table = new IdTable<EtwProcessPass>();
        foreach (var process in processes)
            table.Set(process.ProcessId, process);
        return table;
    }

    private void ReadKernelEvent(in EtlEvent item)
    {
        switch (item.Group)
        {
            case EtlKernelGroups.Thread:
                ReadThreadEvent(item, item.Opcode);
                break;
            case EtlKernelGroups.PerfInfo when item.Opcode == KernelPayload.SampledProfile:
                ReadSample(item);
                break;
            case EtlKernelGroups.StackWalk when _wantsStacks || Wants(EventKinds.CpuSamples | EventKinds.SwitchInStacks):
                ReadStack(item, item.Opcode);
                break;
            case EtlKernelGroups.Image
                when Wants(EventKinds.ProcessLayout)
                    && item.Opcode is KernelPayload.ImageUnload or KernelPayload.ImageListedAtBegin or KernelPayload.ImageListedAtEnd:
            case EtlKernelGroups.Process when Wants(EventKinds.ProcessLayout) && item.Opcode == EtlKernelGroups.ImageLoad:
                ReadImage(item);
                break;
        }
    }

    /// <summary>Reads a name of kernel code in an exported recording.</summary>
    private void ReadKernelName(in EtlEvent item)
    {
        foreach (var process in processes)
            process.ReadKernelName(item);
    }

    private void ReadSample(in EtlEvent item)
    {
        if (!KernelPayload.TryReadSample(item.Payload, item.PointerSize, out var address, out var thread, out var stackEnd))
            return;
        var owner = trace.Threads.Of(thread, item.Timestamp);
        _byId.Get(owner)?.OnSample(item.Timestamp, thread, address, stackEnd);

        // 0: the processor was idle. Below 0: the owner of the thread is unknown, so it may belong to any process.
        if (owner <= IdleProcess)
            return;
        foreach (var process in _hearOthers)
        {
            if (process.ProcessId != owner)
                process.OnOtherSample(item.Timestamp, owner, thread);
        }
    }

    private void ReadThreadEvent(in EtlEvent item, byte type)
    {
        switch (type)
        {
            case KernelPayload.ContextSwitch:
                if (
                    !KernelPayload.TryReadSwitch(
                        item.Payload,
                        out var switchedIn,
                        out var switchedOut,
                        out var isPreempted,
                        out var hasEnded
                    )
                )
                    return;
                if (hasEnded)
                    OfThread(switchedOut, item.Timestamp)?.OnLastSwitch(item.Timestamp, switchedOut);
                else
                    OfThread(switchedOut, item.Timestamp)?.OnSwitchedOut(item.Timestamp, switchedOut, isPreempted);
                OfThread(switchedIn, item.Timestamp)?.OnSwitchedIn(item.Timestamp, switchedIn);
                break;
            case KernelPayload.ReadyThread when Wants(EventKinds.ReadyThreads):
                if (KernelPayload.TryReadReady(item.Payload, out var ready))
                    OfThread(ready, item.Timestamp)?.OnThreadReadied(item.Timestamp, ready, item.ProcessId, item.ThreadId);
                break;
            case KernelPayload.ThreadSetName when Wants(EventKinds.ProcessLayout):
                if (KernelPayload.TryReadThreadName(item.Payload, out var ownerOfName, out var named, out var name))
                    _byId.Get(ownerOfName)?.OnThreadNamed(item.Timestamp, named, name);
                break;
            case KernelPayload.ThreadEnd:
                if (KernelPayload.TryReadThread(item.Payload, out var process, out var ended))
                    _byId.Get(process)?.OnThreadEnded(ended);
                break;
        }
    }

    private void ReadStack(in EtlEvent item, byte type)
    {
        if (type == KernelPayload.Stack)
        {
            if (KernelPayload.TryReadStack(item.Payload, out var time, out var process, out var thread, out var addresses))
                _byId.Get(process)?.OnStack(time, thread, addresses, item.PointerSize);
        }
        else if (
            type is KernelPayload.StackKeyOfKernel or KernelPayload.StackKeyOfProgram
            && KernelPayload.TryReadStackKey(item.Payload, item.PointerSize, out var time, out var process, out var thread, out var key)
            && _byId.Get(process) is { } owner
        )
        {
            owner.OnStack(time, thread, trace.Stacks.Find(key, type == KernelPayload.StackKeyOfKernel, item.Timestamp), item.PointerSize);
        }
    }

    private void ReadImage(in EtlEvent item)
    {
        if (
            !KernelPayload.TryReadImage(
                item.Payload,
                item.PointerSize,
                item.Version,
                out var process,
                out var start,
                out var length,
                out var path
            )
        )
            return;
        if (process != KernelProcess)
        {
            _byId.Get(process)?.OnImage(item, start, length, path, trace.ImageIds.Find(process, start, item.Timestamp));
            return;
        }

        var pdb = trace.ImageIds.Find(process, start, item.Timestamp);
        foreach (var each in processes)
            each.OnImage(item, start, length, path, pdb);
    }

    private EtwProcessPass? OfThread(int thread, long time) => _byId.Get(trace.Threads.Of(thread, time));

    private bool Wants(EventKinds kind) => (_wanted & kind) != 0;
}
