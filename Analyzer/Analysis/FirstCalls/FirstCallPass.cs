using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>
/// Gives each compilation, type load and assembly load of one process to the first call in whose window it lies, or to what lies before the first of them.
/// The windows are those of the runs' own clocks where they are known: in a fresh process the marker's handshake is new code, too, and its window wider.
/// </summary>
internal sealed class FirstCallPass : IEventSubscriber
{
    /// <summary>What names of the runtime's own dynamic methods begin with (marshalling, delegates, unboxing).</summary>
    private const string StubPrefix = "IL_STUB";

    private readonly RunWindows _windows;
    private readonly FirstCallTally[] _tallies;
    private readonly long?[] _threads;
    private readonly long _begin;

    /// <summary>What is under way on each thread.</summary>
    private readonly Dictionary<long, ThreadWork> _work = [];

    /// <summary>Modules that the program makes in memory.</summary>
    private readonly HashSet<long> _dynamicModules = [];

    /// <summary>Assemblies with precompiled code.</summary>
    private readonly HashSet<long> _precompiledAssemblies = [];

    /// <summary>Takes the first calls of a process.</summary>
    public FirstCallPass(IReadOnlyList<Run> runs)
    {
        Runs = [.. runs.OrderBy(run => Window(run).Start)];
        _windows = new RunWindows(Runs.Select(Window));
        _tallies = [.. Runs.Select(_ => new FirstCallTally())];
        _threads = [.. Runs.Select(run => run.MeasuringThread)];
        _begin = Window(Runs[0]).Start;
    }

    /// <summary>The first calls, by begin.</summary>
    public IReadOnlyList<Run> Runs { get; }

    /// <summary>What lies before the first of them.</summary>
    public FirstCallTally Before { get; } = new();

    /// <summary>What lies in each of them.</summary>
    public FirstCallTally Of(Run run) => _tallies[Runs.Index().First(pair => ReferenceEquals(pair.Item, run)).Index];

    /// <summary>Whether an assembly has precompiled code.</summary>
    public bool IsPrecompiled(long assembly) => _precompiledAssemblies.Contains(assembly);

    /// <summary>Begin and end of a first call: by the program's own clock, else as the run was delimited.</summary>
    public static (long Start, long Stop) Window(Run run) => run.OwnClock ?? (run.StartTicks, run.StopTicks);

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<JitStarted>(OnJitStarted);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<TypeLoadStarted>(OnTypeLoadStarted);
        hub.Subscribe<TypeLoadStopped>(OnTypeLoadStopped);
        hub.Subscribe<PrecompiledMethod>(OnPrecompiledMethod);
        hub.Subscribe<AssemblyLoaded>(OnAssemblyLoaded);
        hub.Subscribe<AssemblyModule>(OnAssemblyModule);
        hub.Subscribe<AssemblyBind>(OnAssemblyBind);
    }

    private void OnJitStarted(in JitStarted compilation) => WorkOf(compilation.At.ThreadId).Jit.Begin(compilation.MethodId, compilation.At.Time);

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

    private void OnPrecompiledMethod(in PrecompiledMethod method)
    {
        if (method.Found && TallyAt(method.At.Time) is { } tally)
            tally.Precompiled++;
    }

    private void OnAssemblyLoaded(in AssemblyLoaded assembly) => TallyAt(assembly.At.Time)?.Assemblies.Add(assembly);

    private void OnAssemblyModule(in AssemblyModule module)
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

    private FirstCallTally? TallyAt(long time) => time < _begin ? Before : _windows.IndexAt(time) is >= 0 and var index ? _tallies[index] : null;

    private bool IsMeasuring(in EventAt at) => _windows.IndexAt(at.Time) is >= 0 and var index ? _threads[index] == at.ThreadId : at.ThreadId == _threads[0];

    private ThreadWork WorkOf(long thread) => CollectionsMarshal.GetValueRefOrAddDefault(_work, thread, out _) ??= new ThreadWork();

    /// <summary>The parts of a span on a thread that lie before the first call and in the first calls.</summary>
    private void Charge(long thread, long start, long stop, Action<FirstCallTally, long, bool> add)
    {
        if (start < _begin)
            add(Before, Math.Min(stop, _begin) - start, thread == _threads[0]);
        foreach (var (run, ticks) in _windows.Clip(start, stop))
            add(_tallies[run.Index], ticks, thread == _threads[run.Index]);
    }

    /// <summary>What is under way on a thread.</summary>
    private sealed class ThreadWork
    {
        public JitThread Jit { get; } = new();

        public JitThread Types { get; } = new();
    }

    /// <summary>Takes a compilation's time; within a type load it is no time of that load.</summary>
    private readonly struct JitSink(FirstCallPass pass, long thread, ThreadWork work) : ISpanSink
    {
        public void Add(long start, long stop, int sign)
        {
            var inTypeLoad = work.Types.IsOpen;
            pass.Charge(thread, start, stop, (tally, ticks, isMeasuring) =>
            {
                if (!isMeasuring)
                {
                    tally.BackgroundJitTicks += sign * ticks;
                    return;
                }

                tally.JitTicks += sign * ticks;
                if (inTypeLoad)
                    tally.TypeTicks -= sign * ticks;
            });
        }
    }

    /// <summary>Takes a type load's time, unless a compilation under way has it.</summary>
    private readonly struct TypeSink(FirstCallPass pass, long thread, ThreadWork work) : ISpanSink
    {
        public void Add(long start, long stop, int sign)
        {
            if (work.Jit.IsOpen)
                return;
            pass.Charge(thread, start, stop, (tally, ticks, isMeasuring) =>
            {
                if (isMeasuring)
                    tally.TypeTicks += sign * ticks;
            });
        }
    }
}
