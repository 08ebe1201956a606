using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Turns events of the runtime and run marks into calls of a visitor, whichever file they come from: EventPipe and ETW carry the same payloads.
/// Payloads are read from their bytes, whose count is checked: nothing is allocated for an event of the runtime, and a damaged payload cannot make us
/// read beyond it.
/// </summary>
/// <param name="visitor">Receives the events.</param>
/// <param name="wanted">Kinds of events it is to receive.</param>
internal readonly struct ClrEventDispatcher(TraceVisitor visitor, TraceCapabilities wanted)
{
    // Ids of Microsoft-Windows-DotNETRuntime, from ClrEtwAll.man of dotnet/runtime.
    private const int GcStart = 1;
    private const int GcEnd = 2;
    private const int GcRestartEnd = 3;
    private const int GcHeapStats = 4;
    private const int GcSuspendBegin = 9;
    private const int GcAllocationTick = 10;
    private const int BulkType = 15;
    private const int GcTriggered = 35;
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
    private const int GcPerHeapHistory = 204;
    private const int AssemblyLoadStop = 291;
    private const int WaitHandleWaitStart = 301;
    private const int WaitHandleWaitStop = 302;
    private const int AllocationSampled = 303;

    // Ids of Microsoft-Windows-DotNETRuntimeRundown, which lists what exists when the session begins (DCStart) or ends (DCEnd).
    private const int MethodStartVerbose = 143;
    private const int MethodEndVerbose = 144;
    private const int ModuleStart = 153;
    private const int ModuleEnd = 154;

    // Of Microsoft-Windows-DotNETRuntimePrivate; .NET Framework's has no such event.
    private const int RichDebugInfo = 189;

    private static readonly Guid s_runtime = ClrTraceEventParser.ProviderGuid;
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");
    private static readonly Guid s_runs = EventSource.GetGuid(typeof(RunEventSource));

    /// <summary>Whether a provider's events are marks of runs, whose stacks say nothing.</summary>
    public static bool IsMarks(in Guid provider) => provider == s_runs || provider == BenchmarkPayload.Provider;

    /// <summary>Whether a provider's events list what exists; their times say nothing of when it came.</summary>
    public static bool IsRundown(in Guid provider) => provider == s_rundown;

    /// <summary>Whether a provider is one that is understood here.</summary>
    public static bool Knows(in Guid provider) => provider == s_runtime || provider == s_rundown || provider == s_private || IsMarks(provider);

    /// <summary>Whether an event is the start of a collection, and of which.</summary>
    public static bool IsCollectionStart(in Guid provider, int id, ReadOnlySpan<byte> payload, out int number)
    {
        number = 0;
        if (id != GcStart || provider != s_runtime || payload.Length < 4)
            return false;
        number = Int32(payload, 0);
        return true;
    }

    /// <summary>Whether an event is one of those that are given out with their stack.</summary>
    public static bool HasStack(in Guid provider, int id) =>
        id is GcAllocationTick or GcTriggered or ExceptionThrown or ContentionStart or MethodJittingStarted or WaitHandleWaitStart or AllocationSampled && provider == s_runtime;

    /// <summary>Whether an event is the stack of the event before it on its thread (ClrStackWalk, .NET Framework).</summary>
    public static bool IsStack(in Guid provider, int id) => id == ClrStackWalk && provider == s_runtime;

    /// <summary>Handles one event; those of other providers are passed by.</summary>
    public void Dispatch(in Guid provider, int id, in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail = default)
    {
        if (provider == s_runtime)
            OnRuntimeEvent(id, at, payload, detail);
        else if (provider == s_rundown && Wants(TraceCapabilities.MethodCode))
            OnRundownEvent(id, at, payload);
        else if (provider == s_private && id == RichDebugInfo && Wants(TraceCapabilities.MethodCode))
            visitor.OnInlineTreeChunk(InliningPayload.ReadChunk(at, payload));
        else if (provider == s_runs && Wants(TraceCapabilities.RunMarks))
            OnRunMark(id, at, payload);
        else if (provider == BenchmarkPayload.Provider && Wants(TraceCapabilities.RunMarks))
            OnBenchmark(id, at, payload);
    }

    private void OnRuntimeEvent(int id, in EventAt at, ReadOnlySpan<byte> payload, in ClrEventDetail detail)
    {
        switch (id)
        {
            case GcStart when Wants(TraceCapabilities.Collections) && payload.Length >= 16:
                visitor.OnCollectionStarted(new CollectionStarted(at, Int32(payload, 0), Int32(payload, 4), Int32(payload, 8), (CollectionKind)Int32(payload, 12)));
                break;
            case GcTriggered when Wants(TraceCapabilities.Collections):
                visitor.OnCollectionTriggered(new CollectionTriggered { At = at, Stack = detail.Stack });
                break;
            case GcSuspendBegin when Wants(TraceCapabilities.Collections) && payload.Length >= 4:
                visitor.OnSuspendStarted(at, (SuspendReason)Int32(payload, 0));
                break;
            case GcRestartEnd when Wants(TraceCapabilities.Collections):
                visitor.OnRestarted(at);
                break;
            case GcEnd when Wants(TraceCapabilities.Collections) && payload.Length >= 8:
                visitor.OnCollectionEnded(new CollectionEnded(at, Int32(payload, 0), Int32(payload, 4)));
                break;
            case GcHeapStats when Wants(TraceCapabilities.Collections) && CollectionPayload.TryReadStatistics(at, payload, out var statistics):
                visitor.OnHeapStatistics(statistics);
                break;
            case GcPerHeapHistory when Wants(TraceCapabilities.Collections) && CollectionPayload.TryReadSizeBefore(payload, detail.PointerBytes, out var before):
                visitor.OnHeapSizeBefore(at, before);
                break;
            case GcAllocationTick when Wants(TraceCapabilities.AllocationTicks) && payload.Length >= 4:
                visitor.OnAllocationTick(AllocationPayload.ReadTick(at, payload, detail));
                break;
            case AllocationSampled when Wants(TraceCapabilities.AllocationSamples) && payload.Length >= AllocationPayload.SmallestSample:
                visitor.OnAllocationSampled(AllocationPayload.ReadSample(at, payload, detail));
                break;
            case ExceptionThrown when Wants(TraceCapabilities.Exceptions):
                visitor.OnExceptionThrown(ExceptionPayload.Read(at, payload, detail));
                break;
            case ContentionStart when Wants(TraceCapabilities.Contention) && payload.Length >= 1:
                visitor.OnContentionStarted(ContentionPayload.ReadStart(at, payload, detail));
                break;
            case ContentionStop when Wants(TraceCapabilities.Contention) && payload.Length >= 1:
                visitor.OnContentionStopped(at, payload[0] != 0);
                break;
            case MethodJittingStarted when Wants(TraceCapabilities.Jit) && payload.Length >= 8:
                visitor.OnJitStarted(new JitStarted { At = at, MethodId = Int64(payload, 0), IlBytes = payload.Length >= 24 ? Int32(payload, 20) : null, Stack = detail.Stack });
                break;
            case MethodLoad or MethodLoadVerbose when payload.Length >= MethodCodePayload.FixedSize:
                if (Wants(TraceCapabilities.Jit))
                    visitor.OnMethodLoaded(MethodCodePayload.ReadLoad(at, payload, hasNames: id == MethodLoadVerbose));
                if (id == MethodLoadVerbose && Wants(TraceCapabilities.MethodCode) && MethodCodePayload.TryRead(at, payload, isRundown: false, out var code))
                    visitor.OnMethodCode(code);
                break;
            case MethodUnload or MethodUnloadVerbose when Wants(TraceCapabilities.MethodCode) && payload.Length >= MethodCodePayload.FixedSize:
                visitor.OnMethodCodeFreed(at, (ulong)Int64(payload, 16));
                break;
            case ModuleLoad:
                if (Wants(TraceCapabilities.MethodCode))
                    OnModule(at, payload);
                if (Wants(TraceCapabilities.AssemblyLoads) && LoaderPayload.TryReadModule(at, payload, out var module))
                    visitor.OnAssemblyModule(module);
                break;
            case AssemblyLoad when Wants(TraceCapabilities.AssemblyLoads) && LoaderPayload.TryReadAssembly(at, payload, out var assembly):
                visitor.OnAssemblyLoaded(assembly);
                break;
            case AssemblyLoadStop when Wants(TraceCapabilities.AssemblySearches) && LoaderPayload.TryReadSearch(at, payload, out var search):
                visitor.OnAssemblySought(search);
                break;
            case TypeLoadStart when Wants(TraceCapabilities.TypeLoads) && payload.Length >= 4:
                visitor.OnTypeLoadStarted(at, Int32(payload, 0));
                break;
            case TypeLoadStop when Wants(TraceCapabilities.TypeLoads) && payload.Length >= LoaderPayload.SmallestTypeStop:
                visitor.OnTypeLoadStopped(at, Int32(payload, 0), Int64(payload, 8));
                break;
            case R2RGetEntryPoint when Wants(TraceCapabilities.PrecompiledMethods) && LoaderPayload.TryReadEntryPoint(payload, out var found):
                visitor.OnPrecompiledMethod(at, found);
                break;
            case MethodDetailsId when Wants(TraceCapabilities.MethodCode) && InliningPayload.TryReadMethod(payload, out var details):
                visitor.OnMethodDetails(at, details);
                break;
            case BulkType when Wants(TraceCapabilities.MethodCode):
                InliningPayload.SendTypes(at, payload, visitor);
                break;
            case WaitHandleWaitStart when Wants(TraceCapabilities.Waits):
                visitor.OnWaitStarted(new WaitStarted { At = at, IsMonitor = payload.Length > 0 && payload[0] == 1, Stack = detail.Stack });
                break;
            case WaitHandleWaitStop when Wants(TraceCapabilities.Waits):
                visitor.OnWaitStopped(at);
                break;
        }
    }

    /// <summary>Lists of what exists; they say nothing of when it came, and so are no compilations.</summary>
    private void OnRundownEvent(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        switch (id)
        {
            case MethodStartVerbose or MethodEndVerbose when MethodCodePayload.TryRead(at, payload, isRundown: true, out var code):
                if (CodeNamePayload.TryRead(code, out var name))
                    visitor.OnCodeNamed(name);
                else
                    visitor.OnMethodCode(code);
                break;
            case ModuleStart or ModuleEnd:
                OnModule(at, payload);
                break;
        }
    }

    private void OnModule(in EventAt at, ReadOnlySpan<byte> payload)
    {
        if (!MethodCodePayload.TryReadModule(payload, out var module, out var path, out var pdb))
            return;
        visitor.OnModuleLoaded(at, module, path);
        if (pdb != Guid.Empty)
            visitor.OnModulePdb(at, module, pdb);
    }

    private void OnRunMark(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        switch (id)
        {
            case RunEventSource.RunStartId when RunMarkPayload.TryReadStart(payload, out var runId, out var identity):
                visitor.OnRunStarted(new RunStarted(at, runId, identity));
                break;
            case RunEventSource.RunStopId when RunMarkPayload.TryReadStop(payload, out var runId, out var identity, out var truth):
                visitor.OnRunStopped(new RunStopped(at, runId, identity, truth));
                break;
            case RunEventSource.RunClockStoppedId when payload.Length >= 4:
                visitor.OnRunClockStopped(at, Int32(payload, 0));
                break;
            case RunEventSource.MarkerWaitingId when payload.Length >= 4:
                visitor.OnMarkerWaiting(at, Int32(payload, 0));
                break;
            case RunEventSource.ProcessLaunchedId when payload.Length >= 12:
                visitor.OnProcessLaunched(at, Int32(payload, 0), Int64(payload, 4));
                break;
        }
    }

    private void OnBenchmark(int id, in EventAt at, ReadOnlySpan<byte> payload)
    {
        if (id is BenchmarkPayload.BenchmarkStart or BenchmarkPayload.BenchmarkStop)
        {
            if (BenchmarkPayload.TryReadName(payload, out var name))
                visitor.OnBenchmark(at, name, isStart: id == BenchmarkPayload.BenchmarkStart);
        }
        else if (BenchmarkPayload.TryReadIteration(id, at, payload, out var iteration))
        {
            visitor.OnBenchmarkIteration(iteration);
        }
    }

    private bool Wants(TraceCapabilities kind) => (wanted & kind) != 0;

    private static int Int32(ReadOnlySpan<byte> payload, int offset) => BinaryPrimitives.ReadInt32LittleEndian(payload[offset..]);

    private static long Int64(ReadOnlySpan<byte> payload, int offset) => BinaryPrimitives.ReadInt64LittleEndian(payload[offset..]);
}
