using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Publishes the events of one process in one pass over a trace.</summary>
internal sealed class EtwProcessPass
{
    private readonly EventHub _hub;
    private readonly ClrEventDispatcher _clr;
    private readonly SampleQueue _samples;

    /// <summary>Whether the trace is an exported Linux recording.</summary>
    private readonly bool _isExported;

    /// <summary>Joins runtime events with their stacks; null when not requested.</summary>
    private readonly ClrEventQueue? _events;

    /// <summary>Start addresses of listed or loaded images, because the list at the end of the session repeats them.</summary>
    private readonly HashSet<ulong> _images = [];

    /// <summary>Number of the last GC start.</summary>
    private int _lastGc = -1;

    /// <summary>Starts a pass.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="hub">Receives its events.</param>
    /// <param name="withStacks">Whether to join runtime events with their stacks.</param>
    /// <param name="samples">Joins its samples with their stacks.</param>
    /// <param name="patience">Maximum time that a runtime event waits for its stack, in ticks.</param>
    /// <param name="isExported">Whether the trace is an exported Linux recording.</param>
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

    /// <summary>Kinds of events that it needs.</summary>
    public EventKinds Wanted { get; }

    /// <summary>Whether runtime events get their stacks.</summary>
    public bool WantsStacks => _events is not null;

    /// <summary>Number of events of the process.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first event.</summary>
    public long First { get; private set; }

    /// <summary>Time of the last event except rundown.</summary>
    public long Last { get; private set; }

    /// <summary>An event of a provider that <see cref="ClrEventDispatcher"/> supports.</summary>
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
            _samples.Add(time, thread, address, _isExported ? KernelPayload.IsCut(stackEnd) : null);
    }

    /// <summary>A CPU sample of another process.</summary>
    public void OnOtherSample(long time, int process, int thread) =>
        _hub.Publish(new OtherProcessSample(new EventAt(time, process, thread), _samples.CpuTicks));

    /// <summary>A part of the stack of the event at <paramref name="time"/>.</summary>
    public void OnStack(long time, int thread, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        if (Wants(EventKinds.CpuSamples | EventKinds.SwitchInStacks))
            _samples.AddStack(time, thread, addresses, pointerSize);
        _events?.AddStack(time, thread, addresses, pointerSize);
    }

    /// <summary>A thread was switched out.</summary>
    public void OnSwitchedOut(long time, int thread, bool isPreempted)
    {
        Count(time, isNews: true);
        _hub.Publish(new SwitchedOut(new EventAt(time, ProcessId, thread), isPreempted));
    }

    /// <summary>A thread was switched in.</summary>
    public void OnSwitchedIn(long time, int thread)
    {
        Count(time, isNews: true);
        _hub.Publish(new SwitchedIn(new EventAt(time, ProcessId, thread)));
        if (_hub.Wants<SwitchInStack>())
            _samples.AddSwitch(time, thread);
    }

    /// <summary>A thread was switched out for the last time, because it ended.</summary>
    public void OnLastSwitch(long time, int thread)
    {
        // Linux recordings have no such event; with it, a process without runs would end later in their export.
        if (!_isExported)
            Count(time, isNews: true);
        _hub.Publish(new ThreadEnded(new EventAt(time, ProcessId, thread)));
    }

    /// <summary>A thread was readied by another thread of any process; -1 when the event lacks it.</summary>
    public void OnThreadReadied(long time, int thread, int byProcess, int byThread) =>
        _hub.Publish(new ThreadReadied(new EventAt(time, ProcessId, thread), byProcess == ProcessId && byThread > 0 ? byThread : null));

    /// <summary>Sets a thread's name.</summary>
    public void OnThreadNamed(long time, int thread, ReadOnlySpan<char> name)
    {
        if (_hub.Wants<ThreadNamed>())
            _hub.Publish(new ThreadNamed(new EventAt(time, ProcessId, thread), new string(name)));
    }

    /// <summary>A thread ended. (Subscribers get its last switch-out.)</summary>
    public void OnThreadEnded(int thread) => _samples.EndThread(thread);

    /// <summary>Reads a name of kernel code in an exported recording.</summary>
    public void ReadKernelName(in EtlEvent item) =>
        _clr.Dispatch(item.ProviderId, item.Id, new EventAt(item.Timestamp, ProcessId, item.ThreadId), item.Payload);

    /// <summary>
    /// An image was loaded, unloaded or listed. Images listed at the end of the session existed from the start, unless their load was seen.
    /// </summary>
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
            _hub.Publish(
                new FileMapping(
                    new EventAt(isLoad ? item.Timestamp : long.MinValue, ProcessId, item.ThreadId),
                    start,
                    length,
                    0,
                    new string(path),
                    ""
                )
                {
                    Pdb = pdb,
                }
            );
        else
            _hub.Publish(new FileUnmapped(new EventAt(item.Timestamp, ProcessId, item.ThreadId), start));
    }

    /// <summary>
    /// An image of an exported Linux recording: the trace has the names of its code, so files of this machine are ignored.
    /// </summary>
    private void OnExportedImage(in EtlEvent item, ulong start, ulong length, ReadOnlySpan<char> path)
    {
        if (path.SequenceEqual(Symbols.SymbolFiles.KernelModule))
            _hub.Publish(new KernelMapping(start, length, "", "") { IsExported = true });
        else
            _hub.Publish(
                new FileMapping(
                    new EventAt(item.Timestamp, ProcessId, item.ThreadId),
                    start,
                    length,
                    KernelPayload.FileOffset(item.Payload),
                    new string(path),
                    ""
                )
                {
                    IsExported = true,
                }
            );
    }

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        _samples.End();
        _events?.End();
    }

    /// <summary>.NET Framework logs each GC start twice, with the fields of two versions.</summary>
    private bool IsRepeated(in EtlEvent item, in Guid provider)
    {
        if (!ClrEventDispatcher.IsGcStart(provider, item.Id, item.Payload, out var number))
            return false;
        var isRepeated = number == _lastGc;
        _lastGc = number;
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
