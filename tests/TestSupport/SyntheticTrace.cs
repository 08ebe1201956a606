using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>A trace made of single events. Times are in µs; the clock runs in ns from 0.</summary>
public sealed class SyntheticTrace : ITraceSource
{
    /// <summary>Measuring thread.</summary>
    public const int Main = 1;

    /// <summary>Marker thread.</summary>
    public const int Marker = 2;

    /// <summary>Process of the trace, unless another one is given.</summary>
    public const int Process = 100;

    private readonly List<(long Time, Action<EventHub> Publish)> _events = [];

    /// <inheritdoc />
    public string Name { get; init; } = "synthetic";

    /// <inheritdoc />
    public TraceClock Clock { get; } = new(0, 1_000_000_000);

    /// <inheritdoc />
    public int ProcessId { get; init; } = Process;

    /// <inheritdoc />
    public EventKinds Kinds { get; init; } = EventKinds.All & ~(EventKinds.AsyncSteps | EventKinds.WorkerWaits);

    /// <inheritdoc />
    public EventDetails Details { get; init; } = EventDetails.All;

    /// <summary>Number of lost events that the source reports.</summary>
    public long Lost { get; init; }

    /// <summary>When they were lost, in µs; empty when unknown.</summary>
    public IReadOnlyList<(double Start, double Stop)> Gaps { get; init; } = [];

    /// <summary>Damage that the source reports.</summary>
    public TraceDamage? Damage { get; init; }

    /// <summary>Number of passes over the trace.</summary>
    public int Reads { get; private set; }

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub)
    {
        Reads++;
        var sorted = _events.OrderBy(item => item.Time).ToList();
        foreach (var (_, publish) in sorted)
            publish(hub);
        return new TraceReadResult(
            sorted.Count,
            Lost,
            sorted.Count > 0 ? sorted[0].Time : 0,
            sorted.Count > 0 ? sorted[^1].Time : 0,
            Damage
        )
        {
            Gaps = [.. Gaps.Select(gap => new EventGap((long)(gap.Start * 1000), (long)(gap.Stop * 1000), Lost / Gaps.Count))],
        };
    }

    /// <summary>Adds an event.</summary>
    public SyntheticTrace Add(double us, int thread, Action<EventHub, EventAt> publish)
    {
        var at = new EventAt((long)(us * 1000), ProcessId, thread);
        _events.Add((at.Time, hub => publish(hub, at)));
        return this;
    }

    /// <summary>A BenchmarkDotNet iteration; without <paramref name="stop"/> it does not end.</summary>
    public SyntheticTrace Iteration(double start, double? stop, long operations, BenchmarkStage stage = BenchmarkStage.Actual)
    {
        Add(start, Main, (hub, at) => hub.Publish(new BenchmarkIteration(at, stage, IsStart: true, operations)));
        return stop is { } end
            ? Add(end, Main, (hub, at) => hub.Publish(new BenchmarkIteration(at, stage, IsStart: false, operations)))
            : this;
    }

    /// <summary>BenchmarkDotNet names the benchmark.</summary>
    public SyntheticTrace Benchmark(double time, string name) =>
        Add(time, Main, (hub, at) => hub.Publish(new BenchmarkMeasured(at, name, IsStart: true)));

    /// <summary>
    /// A run with all its marks and its marker wait, whose clock runs from <paramref name="start"/> to <paramref name="stop"/>.
    /// </summary>
    /// <param name="id">Number of the run.</param>
    /// <param name="start">Start of the clock in µs.</param>
    /// <param name="stop">Stop of the clock in µs.</param>
    /// <param name="wait">False loses the events of the marker's wait.</param>
    /// <param name="marks">False loses RunStart and RunClockStopped.</param>
    /// <param name="late">The marker becomes ready this many µs after the clock stopped.</param>
    /// <param name="identity">Names the run.</param>
    /// <param name="measurement">Content of RunStop; matches the run when null.</param>
    public SyntheticTrace Run(
        int id,
        double start,
        double stop,
        bool wait = true,
        bool marks = true,
        double late = 60,
        RunIdentity? identity = null,
        RunMeasurement? measurement = null
    )
    {
        identity ??= Identity();
        measurement ??= Measurement(start, stop);
        Add(start - 10, Marker, (hub, at) => hub.Publish(new MarkerWaiting(at, id)));
        if (wait)
            Wait(start - 5, stop + late, Marker);
        Wait(stop + late + 5, stop + late + 500, Marker); // idle
        if (marks)
        {
            Add(start - 1, Main, (hub, at) => hub.Publish(new RunStarted(at, id, identity)));
            Add(stop + 1, Main, (hub, at) => hub.Publish(new RunClockStopped(at, id)));
        }

        return Add(stop + 150, Main, (hub, at) => hub.Publish(new RunStopped(at, id, identity, measurement.Value)));
    }

    /// <summary>A suspension of the runtime.</summary>
    public SyntheticTrace Pause(double start, double stop, SuspendReason reason = SuspendReason.Gc, int thread = Main) =>
        Add(start, thread, (hub, at) => hub.Publish(new SuspendStarted(at, reason)))
            .Add(stop, thread, (hub, at) => hub.Publish(new RuntimeResumed(at)));

    /// <summary>A GC that begins.</summary>
    public SyntheticTrace Gc(double time, int generation, GcKind kind = GcKind.Blocking) =>
        Add(time, Main, (hub, at) => hub.Publish(new GcStarted(at, 1, generation, 0, kind)));

    /// <summary>The compilation of a method begins.</summary>
    public SyntheticTrace JitStart(double time, long method, int thread = Main) =>
        Add(time, thread, (hub, at) => hub.Publish(new JitStarted { At = at, MethodId = method }));

    /// <summary>A method has code.</summary>
    public SyntheticTrace MethodLoad(double time, long method, int thread = Main, bool jitted = true) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new MethodLoaded
                    {
                        At = at,
                        MethodId = method,
                        IsJitted = jitted,
                    }
                )
        );

    /// <summary>A thread runs finalizers.</summary>
    public SyntheticTrace Finalizing(double start, double stop, int thread) =>
        Add(start, thread, (hub, at) => hub.Publish(new FinalizersStarted(at)))
            .Add(stop, thread, (hub, at) => hub.Publish(new FinalizersRan(at, 1)));

    /// <summary>The sample profiler finds a thread; addresses leaf first.</summary>
    public SyntheticTrace ProfilerSample(double time, int thread, bool isManaged, params ulong[] stack) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new ProfilerSample
                    {
                        At = at,
                        IsManaged = isManaged,
                        Frames = stack,
                    }
                )
        );

    /// <summary>A pool worker has no work.</summary>
    public SyntheticTrace WorkerWait(double time, int thread) => Add(time, thread, (hub, at) => hub.Publish(new WorkerWaitStarted(at)));

    /// <summary>A thread creates another one.</summary>
    public SyntheticTrace Creates(double time, int parent, int thread) =>
        Add(time, thread, (hub, at) => hub.Publish(new ThreadCreated(at, parent)));

    /// <summary>An assembly is loaded.</summary>
    public SyntheticTrace Load(double time, int thread, string name) =>
        Add(time, thread, (hub, at) => hub.Publish(new AssemblyLoaded(at, 1, IsDynamic: false, name)));

    /// <summary>The finalizer thread has finalized a number of objects.</summary>
    public SyntheticTrace Finalized(double time, int count) => Add(time, Main, (hub, at) => hub.Publish(new FinalizersRan(at, count)));

    /// <summary>A wait for a lock.</summary>
    public SyntheticTrace Contention(double start, double stop, int thread, bool native = false) =>
        Add(start, thread, (hub, at) => hub.Publish(new ContentionStarted { At = at, IsNative = native }))
            .Add(stop, thread, (hub, at) => hub.Publish(new ContentionStopped(at, native)));

    /// <summary>A thread's wait for a lock, from managed code; addresses leaf first.</summary>
    public SyntheticTrace Contention(double start, double stop, int thread, ulong lockId, long owner, params ulong[] stack) =>
        Add(
                start,
                thread,
                (hub, at) =>
                    hub.Publish(
                        new ContentionStarted
                        {
                            At = at,
                            LockId = lockId,
                            OwnerThreadId = owner,
                            Stack = stack,
                        }
                    )
            )
            .Add(stop, thread, (hub, at) => hub.Publish(new ContentionStopped(at, IsNative: false)));

    /// <summary>An exception is thrown; addresses leaf first.</summary>
    public SyntheticTrace Throw(
        double time,
        string type,
        string message,
        int hresult,
        bool rethrown = false,
        int thread = Main,
        params ulong[] stack
    ) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new ExceptionThrown
                    {
                        At = at,
                        Type = type,
                        Message = message,
                        HResult = hresult,
                        IsRethrown = rethrown,
                        Stack = stack,
                    }
                )
        );

    /// <summary>An object is sampled by the allocation sampler; addresses leaf first.</summary>
    public SyntheticTrace Sampled(
        double time,
        string type,
        long bytes,
        AllocationKind kind = AllocationKind.Small,
        int thread = Main,
        params ulong[] stack
    ) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new AllocationSample
                    {
                        At = at,
                        Type = type,
                        ObjectBytes = bytes,
                        Kind = kind,
                        Stack = stack,
                    }
                )
        );

    /// <summary>An allocation tick; addresses leaf first.</summary>
    public SyntheticTrace Tick(
        double time,
        string type,
        long bytes,
        AllocationKind kind = AllocationKind.Small,
        int thread = Main,
        params ulong[] stack
    ) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new AllocationTick
                    {
                        At = at,
                        Type = type,
                        Bytes = bytes,
                        Kind = kind,
                        Stack = stack,
                    }
                )
        );

    /// <summary>A compilation from start to end; addresses leaf first, of the code that needs the method.</summary>
    public SyntheticTrace Jit(
        double start,
        double stop,
        long method,
        string type,
        string name,
        CodeTier tier,
        int il,
        uint native,
        int thread = Main,
        params ulong[] stack
    ) =>
        Add(
                start,
                thread,
                (hub, at) =>
                    hub.Publish(
                        new JitStarted
                        {
                            At = at,
                            MethodId = method,
                            IlBytes = il,
                            Stack = stack,
                        }
                    )
            )
            .Add(
                stop,
                thread,
                (hub, at) =>
                    hub.Publish(
                        new MethodLoaded
                        {
                            At = at,
                            MethodId = method,
                            IsJitted = true,
                            Tier = tier,
                            CodeBytes = native,
                            Namespace = type,
                            Name = name,
                        }
                    )
            );

    /// <summary>
    /// A request; without a start it began before the trace, without a stop it does not end. With a host it is a sent request.
    /// </summary>
    public SyntheticTrace Request(
        double? start,
        double? stop,
        string id,
        string path,
        string values = "",
        int? status = 200,
        string host = "",
        string? stopId = null,
        string connection = ""
    )
    {
        var side = host.Length > 0 ? RequestSide.Sent : RequestSide.Served;
        if (start is { } begin)
            Add(begin, Main, (hub, at) => hub.Publish(new RequestStarted(at, side, id, "GET", host, path)));
        return stop is { } end
            ? Add(
                end,
                Main,
                (hub, at) => hub.Publish(new RequestStopped(at, side, stopId ?? id, connection, status, values, IsFaulted: status is null))
            )
            : this;
    }

    /// <summary>A wait of a thread for a wait handle; addresses leaf first.</summary>
    public SyntheticTrace Wait(double start, double stop, int thread, params ulong[] stack) =>
        Add(start, thread, (hub, at) => hub.Publish(new WaitStarted { At = at, Stack = stack }))
            .Add(stop, thread, (hub, at) => hub.Publish(new WaitStopped(at)));

    /// <summary>The stack of an outgoing thread: addresses, leaf first; the first ones may be the kernel's.</summary>
    public SyntheticTrace SwitchOutStack(double time, int thread, int kernelFrames, params ulong[] frames) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new SwitchOutStack
                    {
                        At = at,
                        Frames = frames,
                        KernelFrames = kernelFrames,
                    }
                )
        );

    /// <summary>A GC with its pause, its end and its effect on the heap; without a pause when <paramref name="pauseStop"/> is 0.</summary>
    public SyntheticTrace FullGc(
        double pauseStart,
        double pauseStop,
        int number,
        int generation,
        GcReason reason,
        GcKind kind,
        long before,
        long after,
        long promoted,
        int thread = Main
    )
    {
        if (pauseStop > 0)
            Pause(pauseStart, pauseStop, thread: thread);
        var start = pauseStart + 1;
        var stop = pauseStop > 0 ? pauseStop - 5 : pauseStart + 50;
        return Add(start, thread, (hub, at) => hub.Publish(new GcStarted(at, number, generation, (int)reason, kind)))
            .Add(stop, thread, (hub, at) => hub.Publish(new HeapSizeBefore(at, before)))
            .Add(stop + 1, thread, (hub, at) => hub.Publish(new GcEnded(at, number, generation)))
            .Add(stop + 2, thread, (hub, at) => hub.Publish(new HeapStatistics(at, after, promoted)));
    }

    /// <summary>A thread triggers a GC; addresses leaf first.</summary>
    public SyntheticTrace Triggered(double time, int thread = Main, params ulong[] stack) =>
        Add(time, thread, (hub, at) => hub.Publish(new GcTriggered { At = at, Stack = stack }));

    /// <summary>The start of a GC with a number.</summary>
    public SyntheticTrace Gc(double time, int number, int generation, GcKind kind) =>
        Add(time, Main, (hub, at) => hub.Publish(new GcStarted(at, number, generation, 0, kind)));

    /// <summary>Size of one heap before the current GC.</summary>
    public SyntheticTrace Before(double time, long bytes) => Add(time, Main, (hub, at) => hub.Publish(new HeapSizeBefore(at, bytes)));

    /// <summary>A GC ends, with the size of the heap after it.</summary>
    public SyntheticTrace End(double time, int number, int generation, long heapBytes) =>
        Add(time, Main, (hub, at) => hub.Publish(new GcEnded(at, number, generation)))
            .Add(time + 1, Main, (hub, at) => hub.Publish(new HeapStatistics(at, heapBytes, 0)));

    /// <summary>A thread is switched in.</summary>
    public SyntheticTrace SwitchIn(double time, int thread) => Add(time, thread, (hub, at) => hub.Publish(new SwitchedIn(at)));

    /// <summary>A thread is switched out.</summary>
    public SyntheticTrace SwitchOut(double time, int thread, bool preempted = false, bool stackOmitted = false) =>
        Add(time, thread, (hub, at) => hub.Publish(new SwitchedOut(at, preempted) { IsStackOmitted = stackOmitted }));

    /// <summary>A thread's clocks are read.</summary>
    /// <param name="time">When, µs.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="cpu">Its CPU time, µs.</param>
    /// <param name="ready">Its ready time, µs.</param>
    public SyntheticTrace ReadClock(double time, int thread, double cpu, double ready = 0) =>
        Add(time, thread, (hub, at) => hub.Publish(new ThreadClock(at, (long)(cpu * 1000), (long)(ready * 1000))));

    /// <summary>A thread ends.</summary>
    public SyntheticTrace ThreadEnd(double time, int thread) => Add(time, thread, (hub, at) => hub.Publish(new ThreadEnded(at)));

    /// <summary>A thread is readied.</summary>
    public SyntheticTrace Readied(double time, int thread, long? by = null) =>
        Add(time, thread, (hub, at) => hub.Publish(new ThreadReadied(at, by)));

    /// <summary>A CPU sample of 1 ms: addresses, leaf first; the first ones may be the kernel's.</summary>
    public SyntheticTrace Sample(double time, int thread, int kernelFrames, params ulong[] frames) =>
        Add(time, thread, (hub, at) => hub.Publish(new CpuSample(at, 1_000_000, kernelFrames > 0, frames, kernelFrames)));

    /// <summary>A CPU sample of 1 ms of EventPipe's sample profiler.</summary>
    public SyntheticTrace ManagedSample(double time, int thread, params ulong[] frames) =>
        Add(
            time,
            thread,
            (hub, at) =>
                hub.Publish(
                    new CpuSample(at, 1_000_000, isKernel: false, frames, 0) { IsWalkedByRuntime = true, IsCut = frames.Length == 100 }
                )
        );

    /// <summary>A CPU sample of 1 ms of another process.</summary>
    public SyntheticTrace OtherProcess(double time, int process) =>
        Add(time, 0, (hub, at) => hub.Publish(new OtherProcessSample(new EventAt(at.Time, process, process), 1_000_000)));

    /// <summary>A CPU sample of 1 ms in user mode with registers and stack: the instruction is the first frame.</summary>
    public SyntheticTrace DumpedSample(double time, ulong stackPointer, ulong framePointer, ulong[] stack, params ulong[] frames) =>
        LinkedSample(time, stackPointer, framePointer, null, stack, frames);

    /// <summary>The same with a link register.</summary>
    public SyntheticTrace LinkedSample(
        double time,
        ulong stackPointer,
        ulong framePointer,
        ulong? link,
        ulong[] stack,
        params ulong[] frames
    ) =>
        Add(
            time,
            Main,
            (hub, at) =>
                hub.Publish(
                    new CpuSample(at, 1_000_000, false, frames, 0)
                    {
                        Dump = new StackDump(
                            frames[0],
                            stackPointer,
                            framePointer,
                            link,
                            System.Runtime.InteropServices.MemoryMarshal.AsBytes<ulong>(stack)
                        ),
                    }
                )
        );

    /// <summary>A method has code of 256 bytes.</summary>
    public SyntheticTrace Code(
        double time,
        ulong start,
        string type,
        string name,
        long id,
        CodeTier tier = CodeTier.Tier1,
        long module = 1
    ) => Add(time, Main, (hub, at) => hub.Publish(new MethodCode(at, id, module, start, 0x100, tier, false, type, name, "void ()")));

    /// <summary>The methods inlined into the last added code: nodes and mappings of <see cref="InlineBytes.Tree"/>.</summary>
    public SyntheticTrace Inlined(double time, (long Method, int Child, int Sibling)[] nodes, params (int Node, int Offset)[] mappings)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        return Add(
            time,
            Main,
            (hub, at) => hub.Publish(new InlineTreeChunk(at, nodes[0].Method, 0, 0, isLast: true, InlineBytes.Tree(nodes, mappings)))
        );
    }

    /// <summary>A module of methods; <paramref name="dynamic"/>: the program emitted it in memory.</summary>
    public SyntheticTrace Module(string path, long id = 1, bool dynamic = false) =>
        Add(0, Main, (hub, at) => hub.Publish(new ModuleLoaded(at, id, path) { IsDynamic = dynamic }));

    /// <summary>A file is mapped at 64 KiB of addresses.</summary>
    public SyntheticTrace Map(double time, ulong start, string path) =>
        Add(time, Main, (hub, at) => hub.Publish(new FileMapping(at, start, 0x10000, 0, path, "")));

    /// <summary>A thread gets a name.</summary>
    public SyntheticTrace Named(double time, int thread, string name) =>
        Add(time, thread, (hub, at) => hub.Publish(new ThreadNamed(at, name)));

    /// <summary>An identity with defaults.</summary>
    public static RunIdentity Identity(
        string serializer = "Json",
        string operation = RunOperation.Serialize,
        RunKind kind = RunKind.Measured,
        int objects = 1000,
        int number = 1,
        int payload = 0,
        int threads = 1
    ) => new(serializer, serializer + ".Lib", "1.0", operation, kind, objects, payload, number, threads);

    /// <summary>The self-measurement of a run from <paramref name="start"/> to <paramref name="stop"/> µs.</summary>
    public static RunMeasurement Measurement(
        double start,
        double stop,
        long allocated = 4000,
        int gen0 = 0,
        int gen1 = 0,
        int gen2 = 0,
        long data = 500,
        string error = ""
    ) => new((long)(start * 1000), (long)(stop * 1000), 1_000_000_000, 1_000_000, allocated, gen0, gen1, gen2, data, error);
}
