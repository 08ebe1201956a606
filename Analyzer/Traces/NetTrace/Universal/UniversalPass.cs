using EtwSerializerProfiler.Traces.Etw;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>Publishes the events of one process in one pass over a trace of a machine.</summary>
internal sealed class UniversalPass
{
    private readonly UniversalTrace _trace;
    private readonly UniversalProcess _process;
    private readonly EventHub _hub;
    private readonly NetTraceDispatcher _runtime;
    private readonly IReadOnlyList<ThreadSwitch> _switches;

    /// <summary>Names runtime code, whose names are lines of a perf map.</summary>
    private readonly MapNames _names;

    /// <summary>The process's mappings by id.</summary>
    private readonly Dictionary<long, UniversalMapping> _mappings = [];

    /// <summary>Mappings published as modules of named code.</summary>
    private readonly HashSet<long> _modules = [];

    /// <summary>Index of the next switch to publish.</summary>
    private int _nextSwitch;

    /// <summary>Starts a pass.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="process">The process.</param>
    /// <param name="hub">Receives its events.</param>
    public UniversalPass(UniversalTrace trace, UniversalProcess process, EventHub hub)
    {
        (_trace, _process, _hub) = (trace, process, hub);
        var header = trace.Layout.Header;
        _names = new MapNames(hub, trace.Names);
        _runtime = new NetTraceDispatcher(hub, header.PointerBytes);
        _switches = trace.OtherSwitches(process); // they count whether wanted or not
    }

    /// <summary>Number of events of the process, except descriptions.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first event.</summary>
    public long FirstTime { get; private set; } = long.MaxValue;

    /// <summary>Time of the last event, except rundown events.</summary>
    public long LastTime { get; private set; } = long.MinValue;

    /// <summary>Whether events of a kind must be handled.</summary>
    public bool Wants(NetTraceEventType type) =>
        type.Universal switch
        {
            UniversalEventKind.None => _runtime.Wants(type),
            UniversalEventKind.Mapping => (_hub.Wanted & (EventKinds.ProcessLayout | EventKinds.MethodCode)) != 0,
            UniversalEventKind.Symbol => (_hub.Wanted & EventKinds.MethodCode) != 0,
            _ => true,
        };

    /// <summary>An unwanted event still counts.</summary>
    public void OnLeftOut(NetTraceEventType type, long time)
    {
        if (type.Universal == UniversalEventKind.None)
            _runtime.OnLeftOut(type, time, _process.Id);
    }

    /// <summary>Publishes an event of the process.</summary>
    public void OnEvent(in NetTraceEvent item)
    {
        SwitchUntil(item.Time);
        var at = new EventAt(item.Time, item.ProcessId, item.ThreadId);
        switch (item.Type.Universal)
        {
            case UniversalEventKind.CpuSample:
                Count(item.Time);
                var kernelFrames = KernelNames.FramesOf(item.Stack);
                _hub.Publish(
                    new CpuSample(
                        at,
                        UniversalPayload.ReadValue(item.Payload) * _trace.SampleTicks,
                        kernelFrames > 0,
                        item.Stack,
                        kernelFrames
                    )
                    {
                        IsCut = _trace.Layout.Header.IsExported ? KernelPayload.IsCut(UniversalPayload.ReadStackEnd(item.Payload)) : null,
                    }
                );
                break;
            case UniversalEventKind.ContextSwitch when item.ThreadId > 0: // 0 or less: the thread had ended
                Count(item.Time);
                OnSwitch(at, item.Stack);
                break;
            case UniversalEventKind.SwitchedOut when item.ThreadId > 0:
                OnSwitchedOut(at, UniversalPayload.ReadValue(item.Payload));
                break;
            case UniversalEventKind.Mapping
                when (_hub.Wanted & (EventKinds.ProcessLayout | EventKinds.MethodCode)) != 0
                    && UniversalPayload.TryReadMapping(item.Payload, _trace.Texts, out var mapping):
                OnMapping(at, mapping);
                break;
            case UniversalEventKind.Symbol
                when (_hub.Wanted & EventKinds.MethodCode) != 0 && UniversalPayload.TryReadSymbol(item.Payload, out var symbol):
                OnSymbol(at, symbol);
                break;
            case UniversalEventKind.None:
                _runtime.OnEvent(item);
                break;
        }
    }

    /// <summary>Whether CPU samples of other processes are wanted.</summary>
    public bool WantsOtherSamples => _hub.Wants<OtherProcessSample>();

    /// <summary>Whether ready events are wanted.</summary>
    public bool WantsReadied => _hub.Wants<ThreadReadied>();

    /// <summary>A CPU sample of another process; ignores its own.</summary>
    public void OnOtherSample(in NetTraceEvent item)
    {
        if (item.ProcessId != _process.Id)
            _hub.Publish(
                new OtherProcessSample(
                    new EventAt(item.Time, item.ProcessId, item.ThreadId),
                    UniversalPayload.ReadValue(item.Payload) * _trace.SampleTicks
                )
            );
    }

    /// <summary>
    /// A thread of any process readied another. Thread ids are unique in the system, so that thread's process need not be known.
    /// </summary>
    public void OnReadied(in NetTraceEvent item)
    {
        SwitchUntil(item.Time);
        var readied = new EventAt(item.Time, _process.Id, (int)Math.Min(UniversalPayload.ReadValue(item.Payload), int.MaxValue));
        _hub.Publish(new ThreadReadied(readied, item.ProcessId == _process.Id ? item.ThreadId : null));
    }

    /// <summary>The trace has ended.</summary>
    /// <param name="threadNames">Names of the machine's threads.</param>
    public void Finish(IReadOnlyDictionary<(int ProcessId, int ThreadId), string> threadNames)
    {
        SwitchUntil(long.MaxValue);
        foreach (var ((process, thread), name) in threadNames)
        {
            if (process == _process.Id)
                _hub.Publish(new ThreadNamed(new EventAt(Math.Max(LastTime, 0), process, thread), name));
        }

        _runtime.Finish();
        if (_runtime.Events == 0)
            return;
        Events += _runtime.Events;
        FirstTime = Math.Min(FirstTime, _runtime.FirstTime);
        LastTime = Math.Max(LastTime, _runtime.LastTime);
    }

    /// <summary>Publishes a switch with the thread's stack at its switch-out.</summary>
    private void OnSwitch(in EventAt at, ReadOnlySpan<ulong> stack)
    {
        var kernelFrames = KernelNames.FramesOf(stack);
        if (_trace.SwitchesAreOut)
        {
            if (_hub.Wants<SwitchOutStack>() && !stack.IsEmpty)
                _hub.Publish(
                    new SwitchOutStack
                    {
                        At = at,
                        Frames = stack,
                        KernelFrames = kernelFrames,
                    }
                );
            _hub.Publish(new SwitchedOut(at, _trace.Kernel.IsPreempted(stack)));
        }
        else
        {
            _hub.Publish(new SwitchedIn(at));
            if (_hub.Wants<SwitchInStack>() && !stack.IsEmpty)
                _hub.Publish(
                    new SwitchInStack
                    {
                        At = at,
                        Frames = stack,
                        KernelFrames = kernelFrames,
                    }
                );
        }
    }

    private void OnSwitchedOut(in EventAt at, long how)
    {
        if (how == UniversalEventKinds.Ended)
        {
            _hub.Publish(new ThreadEnded(at));
            return;
        }

        Count(at.Time);
        _hub.Publish(new SwitchedOut(at, IsPreempted: how == UniversalEventKinds.Preempted));
    }

    private void SwitchUntil(long time)
    {
        for (; _nextSwitch < _switches.Count && _switches[_nextSwitch] is var item && item.Time <= time; _nextSwitch++)
        {
            Count(item.Time);
            var at = new EventAt(item.Time, _process.Id, item.ThreadId);
            if (item.IsOut)
                _hub.Publish(new SwitchedOut(at, IsPreempted: false));
            else
                _hub.Publish(new SwitchedIn(at));
        }
    }

    private void OnMapping(in EventAt at, in UniversalMapping mapping)
    {
        _mappings[mapping.Id] = mapping;

        // The trace names the kernel's functions; this machine's kernel may differ.
        if (mapping.IsKernel)
            _hub.Publish(new KernelMapping(mapping.Start, mapping.End - mapping.Start, "", "") { IsExported = true });
        else
            _hub.Publish(
                new FileMapping(at, mapping.Start, mapping.End - mapping.Start, mapping.FileOffset, mapping.Path, _trace.BuildIdOf(mapping))
                {
                    IsExported = _trace.Layout.Header.IsExported,
                }
            );
    }

    private void OnSymbol(in EventAt at, in UniversalSymbol symbol)
    {
        if (!_mappings.TryGetValue(symbol.MappingId, out var mapping))
            return;
        var name = _trace.Texts.Of(symbol.Name);
        var isMemory = AddressNames.IsMemory(mapping.Path);
        if ((isMemory || IsAssembly(mapping)) && _names.TryPublish(at, symbol.Start, symbol.Size, name))
            return;
        if (_modules.Add(mapping.Id))
            _hub.Publish(
                new ModuleLoaded(
                    at,
                    mapping.Id,
                    mapping.IsKernel ? SymbolFiles.KernelModule
                        : isMemory ? SymbolResolver.CodeHeap
                        : mapping.Path
                )
            );
        _hub.Publish(
            new CodeName(
                at,
                symbol.Start,
                symbol.Size,
                mapping.IsKernel ? CodeKind.Kernel
                    : isMemory ? CodeKind.Managed
                    : CodeKind.Native,
                mapping.Id,
                CppNames.Demangle(name),
                IsStub: false
            )
        );
    }

    /// <summary>Whether it is an assembly: in an export of esp-analyze, precompiled code has method names, too.</summary>
    private static bool IsAssembly(in UniversalMapping mapping) => mapping.Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);

    private void Count(long time)
    {
        Events++;
        FirstTime = Math.Min(FirstTime, time);
        LastTime = Math.Max(LastTime, time);
    }
}
