using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>What one pass over a trace finds of one process, and publishes it.</summary>
internal sealed class EtwProcessPass
{
    private readonly EventHub _hub;
    private readonly ClrEventDispatcher _clr;
    private readonly SampleQueue _samples;

    /// <summary>Whether the trace was made of a recording of Linux.</summary>
    private readonly bool _isExported;

    /// <summary>Joins events of the runtime with their stacks; null when those are not asked for.</summary>
    private readonly ClrEventQueue? _events;

    /// <summary>Where images were listed or loaded: the list at the end of the session repeats those.</summary>
    private readonly HashSet<ulong> _images = [];

    /// <summary>Number of the collection that began last.</summary>
    private int _lastCollection = -1;

    /// <summary>Begins a pass.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="hub">Receives its events.</param>
    /// <param name="withStacks">Whether events of the runtime get their stacks.</param>
    /// <param name="samples">Joins its samples with their stacks.</param>
    /// <param name="patience">How long an event of the runtime waits for its stack, in ticks.</param>
    /// <param name="isExported">Whether the trace was made of a recording of Linux.</param>
    public EtwProcessPass(int processId, EventHub hub, bool withStacks, SampleQueue samples, long patience, bool isExported)
    {
        _isExported = isExported;
        ProcessId = processId;
        Wanted = hub.Wanted;
        _hub = hub;
        _clr = new ClrEventDispatcher(hub);
        _samples = samples;
        _events = withStacks ? new ClrEventQueue(_clr, patience) : null;
    }

    /// <summary>The process.</summary>
    public int ProcessId { get; }

    /// <summary>Kinds of events that are wanted of it.</summary>
    public EventKinds Wanted { get; }

    /// <summary>Whether events of the runtime get their stacks.</summary>
    public bool WantsStacks => _events is not null;

    /// <summary>Events of the process.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first one.</summary>
    public long First { get; private set; }

    /// <summary>Time of the last one that is no rundown event.</summary>
    public long Last { get; private set; }

    /// <summary>An event of a provider that <see cref="ClrEventDispatcher"/> knows.</summary>
    public void ReadClrEvent(in EtlEvent item, in Guid provider)
    {
        Count(item.Timestamp, !ClrEventDispatcher.IsRundown(provider));
        if (IsRepeated(item, provider))
            return;
        var at = new EventAt(item.Timestamp, item.ProcessId, item.ThreadId);
        if (_events is null)
            _clr.Dispatch(provider, item.Id, at, item.Payload, new ClrEventDetail(default, item.PointerSize));
        else if (ClrEventDispatcher.IsStack(provider, item.Id))
            _events.AddRuntimeStack(item.ThreadId, item.Payload, item.PointerSize);
        else
            _events.Add(provider, item.Id, at, item.Payload, item.PointerSize, ClrStacks.Of(item, out var pointerSize), pointerSize);
    }

    /// <summary>A CPU sample.</summary>
    public void OnSample(long time, int thread, ulong address, ushort stackEnd)
    {
        Count(time, isNews: true);
        if (_hub.Wants<CpuSample>())
            _samples.Add(time, thread, address, !_isExported || stackEnd == 0 ? null : stackEnd == KernelPayload.StackIsCut);
    }

    /// <summary>A CPU sample of another process.</summary>
    public void OnOtherSample(long time, int process, int thread) => _hub.Publish(new OtherProcessSample(new EventAt(time, process, thread), _samples.CpuTicks));

    /// <summary>A part of the stack of the event at <paramref name="time"/>.</summary>
    public void OnStack(long time, int thread, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (Wants(EventKinds.CpuSamples | EventKinds.SwitchInStacks))
            _samples.AddStack(time, thread, addresses, pointerSize);
        _events?.AddStack(time, thread, addresses, pointerSize);
    }

    /// <summary>A thread left its processor.</summary>
    public void OnSwitchedOut(long time, int thread, bool isPreempted)
    {
        Count(time, isNews: true);
        _hub.Publish(new SwitchedOut(new EventAt(time, ProcessId, thread), isPreempted));
    }

    /// <summary>A thread came to a processor.</summary>
    public void OnSwitchedIn(long time, int thread)
    {
        Count(time, isNews: true);
        _hub.Publish(new SwitchedIn(new EventAt(time, ProcessId, thread)));
        if (_hub.Wants<SwitchInStack>())
            _samples.AddSwitch(time, thread);
    }

    /// <summary>A thread left its processor for good: it has ended.</summary>
    public void OnLastSwitch(long time, int thread)
    {
        // Recordings of Linux have no event for it: a process without runs would end later in their export.
        if (!_isExported)
            Count(time, isNews: true);
        _hub.Publish(new ThreadEnded(new EventAt(time, ProcessId, thread)));
    }

    /// <summary>A thread was made ready by another one, which is of any process; -1 where the event does not say.</summary>
    public void OnThreadReadied(long time, int thread, int byProcess, int byThread) =>
        _hub.Publish(new ThreadReadied(new EventAt(time, ProcessId, thread), byProcess == ProcessId && byThread > 0 ? byThread : null));

    /// <summary>A thread got a name.</summary>
    public void OnThreadNamed(long time, int thread, ReadOnlySpan<char> name)
    {
        if (_hub.Wants<ThreadNamed>())
            _hub.Publish(new ThreadNamed(new EventAt(time, ProcessId, thread), new string(name)));
    }

    /// <summary>A thread has ended. (Subscribers learn it from its last switch-out.)</summary>
    public void OnThreadEnded(int thread) => _samples.EndThread(thread);

    /// <summary>A name of the kernel's code in an exported recording.</summary>
    public void ReadKernelName(in EtlEvent item) =>
        _clr.Dispatch(item.ProviderId, item.Id, new EventAt(item.Timestamp, ProcessId, item.ThreadId), item.Payload);

    /// <summary>An image was loaded, unloaded or is listed. Those listed when the session ends were there from the beginning unless their load was seen.</summary>
    public void OnImage(in EtlEvent item, ulong start, ulong length, ReadOnlySpan<char> path, PdbReference? pdb)
    {
        if (!Wants(EventKinds.ProcessLayout))
            return;
        var isLoad = item.Opcode == EtlKernelGroups.ImageLoad;
        if (!_images.Add(start) && item.Opcode == KernelPayload.ImageListedAtEnd)
            return;
        if (_isExported && item.Opcode != KernelPayload.ImageUnload)
            OnExportedImage(item, start, length, path);
        else if (item.Opcode != KernelPayload.ImageUnload)
            _hub.Publish(new FileMapping(new EventAt(isLoad ? item.Timestamp : long.MinValue, ProcessId, item.ThreadId), start, length, 0, new string(path), "") { Pdb = pdb });
        else
            _hub.Publish(new FileUnmapped(new EventAt(item.Timestamp, ProcessId, item.ThreadId), start));
    }

    /// <summary>An image of a recording made on Linux: names of its code are in the trace, files of this machine are not looked at.</summary>
    private void OnExportedImage(in EtlEvent item, ulong start, ulong length, ReadOnlySpan<char> path)
    {
        if (path.SequenceEqual(Symbols.SymbolFiles.KernelModule))
            _hub.Publish(new KernelMapping(start, length, "", "") { IsExported = true });
        else
            _hub.Publish(new FileMapping(new EventAt(item.Timestamp, ProcessId, item.ThreadId), start, length, KernelPayload.FileOffset(item.Payload), new string(path), "") { IsExported = true });
    }

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        _samples.End();
        _events?.End();
    }

    /// <summary>The .NET Framework's runtime logs the start of a collection twice, with the fields of two versions.</summary>
    private bool IsRepeated(in EtlEvent item, in Guid provider)
    {
        if (!ClrEventDispatcher.IsGcStart(provider, item.Id, item.Payload, out var number))
            return false;
        var isRepeated = number == _lastCollection;
        _lastCollection = number;
        return isRepeated;
    }

    private void Count(long time, bool isNews)
    {
        if (Events++ == 0)
            First = time;
        if (isNews)
            Last = Math.Max(Last, time);
    }

    private bool Wants(EventKinds kind) => (Wanted & kind) != 0;
}
