using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Publishes runtime events and run marks from any file format: EventPipe and ETW have the same payloads.
/// Payloads are read from their bytes with length checks: a runtime event allocates nothing, and a damaged payload cannot cause reads
/// beyond its end.
/// </summary>
/// <param name="hub">Receives the events.</param>
internal readonly struct ClrEventDispatcher(EventHub hub)
{
    // Ids of Microsoft-Windows-DotNETRuntime, from ClrEtwAll.man of dotnet/runtime.
    private const int GcStart = 1;
    private const int GcEnd = 2;
    private const int GcRestartEnd = 3;
    private const int GcHeapStats = 4;
    private const int GcSuspendBegin = 9;
    private const int GcAllocationTick = 10;
    private const int GcFinalizersEnd = 13;
    private const int GcFinalizersBegin = 14;
    private const int BulkType = 15;
    private const int GcTriggered = 35;
    private const int ThreadPoolWorkerThreadWait = 57;
    private const int MethodDetailsId = 72;
    private const int TypeLoadStart = 73;
    private const int TypeLoadStop = 74;
    private const int ExceptionThrown = 80;
    private const int ContentionStart = 81;
    private const int ClrStackWalk = 82;
    private const int ContentionStop = 91;
    private const int MethodLoad = 141;
    private const int MethodUnload = 142;
    private const int MethodLoadVerbose = 143;
    private const int MethodUnloadVerbose = 144;
    private const int MethodJittingStarted = 145;
    private const int ModuleLoad = 152;
    private const int AssemblyLoad = 154;
    private const int R2RGetEntryPoint = 159;
    private const int IlToNativeMap = 190;
    private const int GcPerHeapHistory = 204;
    private const int AssemblyLoadStop = 291;
    private const int WaitHandleWaitStart = 301;
    private const int WaitHandleWaitStop = 302;
    private const int AllocationSampled = 303;

    // Ids of Microsoft-Windows-DotNETRuntimeRundown, which lists what exists when the session begins (DCStart) or ends (DCEnd).
    private const int MethodStartVerbose = 143;
    private const int MethodEndVerbose = 144;
    private const int MapStart = 149;
    private const int MapEnd = 150;
    private const int ModuleStart = 153;
    private const int ModuleEnd = 154;

    // Of Microsoft-Windows-DotNETRuntimePrivate; .NET Framework's provider has no such event.
    private const int RichDebugInfo = 189;

    private static readonly Guid s_runtime = ClrTraceEventParser.ProviderGuid;
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");
    private static readonly Guid s_runs = EventSource.GetGuid(typeof(RunEventSource));

    /// <summary>Whether a provider writes run marks, whose stacks are irrelevant.</summary>
    public static bool IsMarks(in Guid provider) => provider == s_runs || provider == BenchmarkPayload.Provider;

    /// <summary>Whether a provider lists existing items, so that its event times are not their creation times.</summary>
    public static bool IsRundown(in Guid provider) => provider == s_rundown;

    /// <summary>Whether a provider is supported.</summary>
    public static bool Knows(in Guid provider) =>
        provider == s_runtime
        || provider == s_rundown
        || provider == s_private
        || provider == RequestPayload.Provider
        || provider == TaskPayload.Provider
        || IsMarks(provider);

    /// <summary>Whether an event is the start of a GC, and its number.</summary>
    public static bool IsGcStart(in Guid provider, int id, ReadOnlySpan<byte> payload, out int number)
    {
        number = 0;
        if (id != GcStart || provider != s_runtime || payload.Length < 4)
            return false;
        number = Int32(payload, 0);
        return true;
    }

    /// <summary>Whether an event is published with its stack.</summary>
    public static bool HasStack(in Guid provider, int id) =>
        id
            is GcAllocationTick
                or GcTriggered
                or ExceptionThrown
                or ContentionStart
                or MethodJittingStarted
                or WaitHandleWaitStart
                or AllocationSampled
        && provider == s_runtime;

    /// <summary>Whether an event is the stack of the previous event on its thread (ClrStackWalk, .NET Framework).</summary>
    public static bool IsStack(in Guid provider, int id) => id == ClrStackWalk && provider == s_runtime;

    /// <summary>
    /// Whether an event must be read: one that is published, or that names the runtime. Most events of a trace are of other providers, or
    /// name methods and types, which only one pass needs.
    /// </summary>
    public bool Wants(in Guid provider, int id)
    {
        if (provider == s_runtime)
            return WantsRuntimeEvent(id) || id == ProcessPayload.RuntimeInformation;
        if (provider == s_rundown)
            return WantsRundownEvent(id) || id == ProcessPayload.RuntimeInformation;
        if (provider == s_private)
            return id == RichDebugInfo && hub.Wants<InlineTreeChunk>();
        if (provider == RequestPayload.Provider)
            return Wants(EventKinds.Requests);
        return provider == TaskPayload.Provider ? Wants(EventKinds.AsyncSteps) : IsMarks(provider) && Wants(EventKinds.RunMarks);
    }

    /// <summary>Publishes one event; ignores those of other providers.</summary>
    public void Dispatch(in Guid provider, int id, in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail = default)
    {
        if (!Wants(provider, id))
            return;
        if (provider == s_runtime)
            OnRuntimeEvent(id, at, payload, detail);
        else if (provider == s_rundown)
            OnRundownEvent(id, at, payload);
        else if (provider == s_private)
            hub.Publish(InliningPayload.ReadChunk(at, payload));
        else if (provider == s_runs)
            OnRunMark(id, at, payload);
        else if (provider == BenchmarkPayload.Provider)
            OnBenchmark(id, at, payload);
        else if (provider == RequestPayload.Provider)
            RequestPayload.Dispatch(hub, at, payload);
        else
            TaskPayload.Dispatch(hub, id, at, payload);
    }

    /// <summary>Whether an event of the runtime is published.</summary>
    private bool WantsRuntimeEvent(int id) =>
        id switch
        {
            GcStart => hub.Wants<GcStarted>(),
            GcFinalizersBegin => hub.Wants<FinalizersStarted>(),
            GcFinalizersEnd => hub.Wants<FinalizersRan>(),
            GcTriggered => hub.Wants<GcTriggered>(),
            GcSuspendBegin => hub.Wants<SuspendStarted>(),
            GcRestartEnd => hub.Wants<RuntimeResumed>(),
            GcEnd => hub.Wants<GcEnded>(),
            GcHeapStats => hub.Wants<HeapStatistics>(),
            GcPerHeapHistory => hub.Wants<HeapSizeBefore>(),
            GcAllocationTick => hub.Wants<AllocationTick>(),
            AllocationSampled => hub.Wants<AllocationSample>(),
            ExceptionThrown => hub.Wants<ExceptionThrown>(),
            ContentionStart => hub.Wants<ContentionStarted>(),
            ContentionStop => hub.Wants<ContentionStopped>(),
            MethodJittingStarted => hub.Wants<JitStarted>(),
            MethodLoad => hub.Wants<MethodLoaded>(),
            MethodLoadVerbose => hub.Wants<MethodLoaded>() || hub.Wants<MethodCode>(),
            MethodUnload or MethodUnloadVerbose => hub.Wants<MethodCodeFreed>(),
            IlToNativeMap => hub.Wants<CodeStatements>(),
            ModuleLoad => hub.Wants<ModuleLoaded>() || hub.Wants<ModulePdb>() || hub.Wants<AssemblyModuleLoaded>(),
            AssemblyLoad => hub.Wants<AssemblyLoaded>(),
            AssemblyLoadStop => hub.Wants<AssemblyBind>(),
            TypeLoadStart => hub.Wants<TypeLoadStarted>(),
            TypeLoadStop => hub.Wants<TypeLoadStopped>(),
            R2RGetEntryPoint => hub.Wants<PrecompiledCodeLookup>(),
            MethodDetailsId => hub.Wants<MethodDetails>(),
            BulkType => hub.Wants<TypeDetails>(),
            WaitHandleWaitStart => hub.Wants<WaitStarted>(),
            WaitHandleWaitStop => hub.Wants<WaitStopped>(),
            ThreadPoolWorkerThreadWait => hub.Wants<WorkerWaitStarted>(),
            _ => false,
        };

    /// <summary>Whether an event that lists existing items is published.</summary>
    private bool WantsRundownEvent(int id) =>
        id switch
        {
            MethodStartVerbose or MethodEndVerbose or ModuleStart or ModuleEnd => Wants(EventKinds.MethodCode),
            MapStart or MapEnd => hub.Wants<CodeStatements>(),
            _ => false,
        };

    private void OnRuntimeEvent(int id, in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        switch (id)
        {
            case GcStart when payload.Length >= 16:
                hub.Publish(new GcStarted(at, Int32(payload, 0), Int32(payload, 4), Int32(payload, 8), (GcKind)Int32(payload, 12)));
                break;
            case GcFinalizersBegin:
                hub.Publish(new FinalizersStarted(at));
                break;
            case GcFinalizersEnd when payload.Length >= 4:
                hub.Publish(new FinalizersRan(at, Int32(payload, 0)));
                break;
            case GcTriggered:
                hub.Publish(new GcTriggered { At = at, Stack = detail.Stack });
                break;
            case GcSuspendBegin when payload.Length >= 4:
                hub.Publish(new SuspendStarted(at, (SuspendReason)Int32(payload, 0)));
                break;
            case GcRestartEnd:
                hub.Publish(new RuntimeResumed(at));
                break;
            case GcEnd when payload.Length >= 8:
                hub.Publish(new GcEnded(at, Int32(payload, 0), Int32(payload, 4)));
                break;
            case GcHeapStats when GcPayload.TryReadStatistics(at, payload, out var statistics):
                hub.Publish(statistics);
                break;
            case GcPerHeapHistory when GcPayload.TryReadSizeBefore(payload, detail.PointerBytes, out var before):
                hub.Publish(new HeapSizeBefore(at, before));
                break;
            case GcAllocationTick when payload.Length >= 4:
                hub.Publish(AllocationPayload.ReadTick(at, payload, detail));
                break;
            case AllocationSampled when payload.Length >= AllocationPayload.MinSampleBytes:
                hub.Publish(AllocationPayload.ReadSample(at, payload, detail));
                break;
            case ExceptionThrown:
                hub.Publish(ExceptionPayload.Read(at, payload, detail));
                break;
            case ContentionStart when payload.Length >= 1:
                hub.Publish(ContentionPayload.ReadStart(at, payload, detail));
                break;
            case ContentionStop when payload.Length >= 1:
                hub.Publish(new ContentionStopped(at, payload[0] != 0));
                break;
            case MethodJittingStarted when payload.Length >= 8:
                hub.Publish(
                    new JitStarted
                    {
                        At = at,
                        MethodId = Int64(payload, 0),
                        IlBytes = payload.Length >= 24 ? Int32(payload, 20) : null,
                        Stack = detail.Stack,
                    }
                );
                break;
            case MethodLoad or MethodLoadVerbose when payload.Length >= MethodCodePayload.FixedSize:
                if (hub.Wants<MethodLoaded>())
                    hub.Publish(MethodCodePayload.ReadLoad(at, payload, hasNames: id == MethodLoadVerbose));
                if (
                    id == MethodLoadVerbose
                    && hub.Wants<MethodCode>()
                    && MethodCodePayload.TryRead(at, payload, isRundown: false, hub.Texts, out var code)
                )
                    hub.Publish(code);
                break;
            case MethodUnload or MethodUnloadVerbose when payload.Length >= MethodCodePayload.FixedSize:
                hub.Publish(new MethodCodeFreed(at, (ulong)Int64(payload, 16)));
                break;
            case IlToNativeMap when MethodCodePayload.TryReadStatements(at, payload, isOfLoaded: true, out var statements):
                hub.Publish(statements);
                break;
            case ModuleLoad:
                if (hub.Wants<ModuleLoaded>() || hub.Wants<ModulePdb>())
                    OnModule(at, payload);
                if (hub.Wants<AssemblyModuleLoaded>() && LoaderPayload.TryReadModule(at, payload, out var module))
                    hub.Publish(module);
                break;
            case AssemblyLoad when LoaderPayload.TryReadAssembly(at, payload, out var assembly):
                hub.Publish(assembly);
                break;
            case AssemblyLoadStop when LoaderPayload.TryReadSearch(at, payload, out var search):
                hub.Publish(search);
                break;
            case TypeLoadStart when payload.Length >= 4:
                hub.Publish(new TypeLoadStarted(at, Int32(payload, 0)));
                break;
            case TypeLoadStop when payload.Length >= LoaderPayload.MinTypeStopBytes:
                hub.Publish(new TypeLoadStopped(at, Int32(payload, 0), Int64(payload, 8)));
                break;
            case R2RGetEntryPoint when LoaderPayload.TryReadEntryPoint(payload, out var found):
                hub.Publish(new PrecompiledCodeLookup(at, found));
                break;
            case MethodDetailsId when InliningPayload.TryReadMethod(payload, out var details):
                hub.Publish(details);
                break;
            case BulkType:
                InliningPayload.SendTypes(payload, hub);
                break;
            case WaitHandleWaitStart:
                hub.Publish(
                    new WaitStarted
                    {
                        At = at,
                        IsMonitor = payload.Length > 0 && payload[0] == 1,
                        Stack = detail.Stack,
                    }
                );
                break;
            case WaitHandleWaitStop:
                hub.Publish(new WaitStopped(at));
                break;
            case ThreadPoolWorkerThreadWait:
                hub.Publish(new WorkerWaitStarted(at));
                break;
        }
    }

    /// <summary>Lists of existing items; they have no creation time, so they are not compilations.</summary>
    private void OnRundownEvent(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        switch (id)
        {
            case MethodStartVerbose
            or MethodEndVerbose when MethodCodePayload.TryRead(at, payload, isRundown: true, hub.Texts, out var code):
                if (CodeNamePayload.TryRead(code, out var name))
                    hub.Publish(name);
                else
                    hub.Publish(code);
                break;
            case MapStart or MapEnd when MethodCodePayload.TryReadStatements(at, payload, isOfLoaded: id == MapStart, out var statements):
                hub.Publish(statements);
                break;
            case ModuleStart or ModuleEnd:
                OnModule(at, payload);
                break;
        }
    }

    private void OnModule(in EventAt at, ReadOnlySpan<byte> payload)
    {
        if (!MethodCodePayload.TryReadModule(at, payload, hub.Texts, out var module, out var pdb))
            return;
        hub.Publish(module);
        if (pdb != Guid.Empty)
            hub.Publish(new ModulePdb(at, module.ModuleId, pdb));
    }

    private void OnRunMark(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        switch (id)
        {
            case RunEventSource.RunStartId when RunMarkPayload.TryReadStart(payload, out var runId, out var identity):
                hub.Publish(new RunStarted(at, runId, identity));
                break;
            case RunEventSource.RunStopId when RunMarkPayload.TryReadStop(payload, out var runId, out var identity, out var measurement):
                hub.Publish(new RunStopped(at, runId, identity, measurement));
                break;
            case RunEventSource.RunClockStoppedId when payload.Length >= 4:
                hub.Publish(new RunClockStopped(at, Int32(payload, 0)));
                break;
            case RunEventSource.MarkerWaitingId when payload.Length >= 4:
                hub.Publish(new MarkerWaiting(at, Int32(payload, 0)));
                break;
            case RunEventSource.ProcessLaunchedId when payload.Length >= 12:
                hub.Publish(new ProcessLaunched(at, Int32(payload, 0), Int64(payload, 4)));
                break;
        }
    }

    private void OnBenchmark(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        if (id is BenchmarkPayload.BenchmarkStart or BenchmarkPayload.BenchmarkStop)
        {
            if (BenchmarkPayload.TryReadName(payload, out var name))
                hub.Publish(new BenchmarkMeasured(at, name, IsStart: id == BenchmarkPayload.BenchmarkStart));
        }
        else if (BenchmarkPayload.TryReadIteration(id, at, payload, out var iteration))
        {
            hub.Publish(iteration);
        }
    }

    private bool Wants(EventKinds kind) => (hub.Wanted & kind) != 0;

    private static int Int32(ReadOnlySpan<byte> payload, int offset) => BinaryPrimitives.ReadInt32LittleEndian(payload[offset..]);

    private static long Int64(ReadOnlySpan<byte> payload, int offset) => BinaryPrimitives.ReadInt64LittleEndian(payload[offset..]);
}
