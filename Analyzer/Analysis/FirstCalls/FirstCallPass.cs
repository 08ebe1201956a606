using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>
/// Attributes each compilation, type load and assembly load of one process to the first call whose window contains it, or to the time
/// before the first of them. The windows are those of the runs' own clocks if known: in a fresh process, the marker's handshake is new
/// code, too, which widens its window.
/// </summary>
internal sealed class FirstCallPass : IEventSubscriber
{
    /// <summary>Name prefix of the runtime's own dynamic methods (marshalling, delegates, unboxing).</summary>
    private const string StubPrefix = "IL_STUB";

    private readonly RunWindows _windows;
    private readonly FirstCallTally[] _tallies;
    private readonly long?[] _threads;
    private readonly long _begin;

    /// <summary>Current work of each thread.</summary>
    private readonly Dictionary<long, ThreadWork> _work = [];

    /// <summary>Modules that the program generates in memory.</summary>
    private readonly HashSet<long> _dynamicModules = [];

    /// <summary>Assemblies with precompiled code.</summary>
    private readonly HashSet<long> _precompiledAssemblies = [];

    /// <summary>Selects the first calls of a process.</summary>
    public FirstCallPass(IReadOnlyList<Run> runs)
    {
        Runs = [.. runs.OrderBy(run => Window(run).Start)];
        _windows = new RunWindows(Runs.Select(Window));
        _tallies = [.. Runs.Select(_ => new FirstCallTally())];
        _threads = [.. Runs.Select(run => run.MeasuringThread)];
        _begin = Window(Runs[0]).Start;
    }

    /// <summary>The first calls, ordered by start.</summary>
    public IReadOnlyList<Run> Runs { get; }

    /// <summary>Tally of the time before the first of them.</summary>
    public FirstCallTally Before { get; } = new();

    /// <summary>Tally of a first call.</summary>
    public FirstCallTally Of(Run run) => _tallies[Runs.Index().First(pair => ReferenceEquals(pair.Item, run)).Index];

    /// <summary>Whether an assembly has precompiled code.</summary>
    public bool IsPrecompiled(long assembly) => _precompiledAssemblies.Contains(assembly);

    /// <summary>Start and stop of a first call: by the program's own clock, else as delimited.</summary>
    public static (long Start, long Stop) Window(Run run) => run.OwnClock ?? (run.StartTicks, run.StopTicks);

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<JitStarted>(OnJitStarted);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<TypeLoadStarted>(OnTypeLoadStarted);
        hub.Subscribe<TypeLoadStopped>(OnTypeLoadStopped);
        hub.Subscribe<PrecompiledCodeLookup>(OnPrecompiledCodeLookup);
        hub.Subscribe<AssemblyLoaded>(OnAssemblyLoaded);
        hub.Subscribe<AssemblyModuleLoaded>(OnAssemblyModuleLoaded);
        hub.Subscribe<AssemblyBind>(OnAssemblyBind);
    }

    private void OnJitStarted(in JitStarted compilation) =>
        WorkOf(compilation.At.ThreadId).Jit.Begin(compilation.MethodId, compilation.At.Time);

    private void OnMethodLoaded(in MethodLoaded method)
    {
        if (!method.IsJitted)
            return;
        var at = method.At;
        if (TallyAt(at.Time) is { } tally)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(tally.Methods, method.Tier, out _)++;
            if (!IsMeasuring(at))
                tally.BackgroundMethods++;
            if (method.IsDynamic && method.Name.StartsWith(StubPrefix, StringComparison.Ordinal))
                tally.Stubs++;
            else if (method.IsDynamic || _dynamicModules.Contains(method.ModuleId))
                tally.Emitted++;
        }

        var work = WorkOf(at.ThreadId);
        work.Jit.End(method.MethodId, at.Time, new JitSink(this, at.ThreadId, work));
    }

    private void OnTypeLoadStarted(in TypeLoadStarted load) => WorkOf(load.At.ThreadId).Types.Begin(load.LoadId, load.At.Time);

    private void OnTypeLoadStopped(in TypeLoadStopped load)
    {
        if (TallyAt(load.At.Time) is { } tally)
        {
            tally.TypeLoads++;
            if (load.TypeId != 0)
                tally.Types.Add(load.TypeId);
        }

        var work = WorkOf(load.At.ThreadId);
        work.Types.End(load.LoadId, load.At.Time, new TypeSink(this, load.At.ThreadId, work));
    }

    private void OnPrecompiledCodeLookup(in PrecompiledCodeLookup method)
    {
        if (method.Found && TallyAt(method.At.Time) is { } tally)
            tally.Precompiled++;
    }

    private void OnAssemblyLoaded(in AssemblyLoaded assembly) => TallyAt(assembly.At.Time)?.Assemblies.Add(assembly);

    private void OnAssemblyModuleLoaded(in AssemblyModuleLoaded module)
    {
        if (module.IsDynamic)
            _dynamicModules.Add(module.ModuleId);
        if (module.IsReadyToRun)
            _precompiledAssemblies.Add(module.AssemblyId);
    }

    private void OnAssemblyBind(in AssemblyBind search)
    {
        if (!search.Found)
            TallyAt(search.At.Time)?.NotFound.Add(search.Name);
    }

    private FirstCallTally? TallyAt(long time) =>
        time < _begin ? Before
        : _windows.IndexAt(time) is >= 0 and var index ? _tallies[index]
        : null;

    private bool IsMeasuring(in EventAt at) =>
        _windows.IndexAt(at.Time) is >= 0 and var index ? _threads[index] == at.ThreadId : at.ThreadId == _threads[0];

    private ThreadWork WorkOf(long thread) => CollectionsMarshal.GetValueRefOrAddDefault(_work, thread, out _) ??= new ThreadWork();

    /// <summary>Charges the parts of a span on a thread to the time before the first call, and to the first calls.</summary>
    private void Charge(long thread, long start, long stop, Action<FirstCallTally, long, bool> add)
    {
        if (start < _begin)
            add(Before, Math.Min(stop, _begin) - start, thread == _threads[0]);
        foreach (var (run, ticks) in _windows.Clip(start, stop))
            add(_tallies[run.Index], ticks, thread == _threads[run.Index]);
    }

    /// <summary>Current work of a thread.</summary>
    private sealed class ThreadWork
    {
        public JitThread Jit { get; } = new();

        public JitThread Types { get; } = new();
    }

    /// <summary>Receives a compilation's time, which does not count as type load time.</summary>
    private readonly struct JitSink(FirstCallPass pass, long thread, ThreadWork work) : ISpanSink
    {
        public void Add(long start, long stop, int sign)
        {
            var inTypeLoad = work.Types.IsOpen;
            pass.Charge(
                thread,
                start,
                stop,
                (tally, ticks, isMeasuring) =>
                {
                    if (!isMeasuring)
                    {
                        tally.BackgroundJitTicks += sign * ticks;
                        return;
                    }

                    tally.JitTicks += sign * ticks;
                    if (inTypeLoad)
                        tally.TypeTicks -= sign * ticks;
                }
            );
        }
    }

    /// <summary>Receives a type load's time, except the time of a compilation inside it.</summary>
    private readonly struct TypeSink(FirstCallPass pass, long thread, ThreadWork work) : ISpanSink
    {
        public void Add(long start, long stop, int sign)
        {
            if (work.Jit.IsOpen)
                return;
            pass.Charge(
                thread,
                start,
                stop,
                (tally, ticks, isMeasuring) =>
                {
                    if (isMeasuring)
                        tally.TypeTicks += sign * ticks;
                }
            );
        }
    }
}
