using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>Adds one process to the timeline of its recording.</summary>
/// <param name="measuring">Its threads that measure runs.</param>
/// <param name="onCpu">Receives their time on a processor.</param>
/// <param name="preempted">Receives their time after a preemption; with clocks, all their ready time.</param>
/// <param name="jit">Receives the compilation time.</param>
internal sealed class TimelinePass(IReadOnlySet<long> measuring, BucketSeries onCpu, BucketSeries preempted, BucketSeries jit)
    : IEventSubscriber,
        ISpanSink
{
    private readonly Suspensions _suspensions = new();
    private readonly Compilations _compilations = new();
    private readonly ThreadClocks _clocks = new();

    /// <summary>Start of a measuring thread's current time on its processor, or off it by preemption.</summary>
    private readonly Dictionary<long, (long Since, bool IsRunning)> _threads = [];

    /// <summary>Highest generation of the GCs that began since the last pause ended; null for none.</summary>
    private int? _generation;

    /// <summary>Pauses in ticks, ordered by stop.</summary>
    public List<(long Start, long Stop, int? Generation)> Pauses { get; } = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<GcStarted>(OnGcStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        hub.Subscribe<JitStarted>(OnJitStarted);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<ThreadClock>(OnThreadClock);
    }

    private void OnSuspendStarted(in SuspendStarted suspension) => _suspensions.Begin(suspension.At, suspension.Reason);

    private void OnGcStarted(in GcStarted gc) => _generation = Math.Max(_generation ?? 0, gc.Generation);

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (!_suspensions.TryEnd(resumed.At, out var start))
            return;
        Pauses.Add((start, resumed.At.Time, _generation));
        _generation = null;
    }

    private void OnJitStarted(in JitStarted compilation) =>
        _compilations.Of(compilation.At.ThreadId).Begin(compilation.MethodId, compilation.At.Time);

    private void OnMethodLoaded(in MethodLoaded method)
    {
        if (method.IsJitted)
            _compilations.Of(method.At.ThreadId).End(method.MethodId, method.At.Time, this);
    }

    /// <inheritdoc />
    public void Add(long start, long stop, int sign) => jit.Add(start, stop, sign);

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        if (!measuring.Contains(switched.At.ThreadId))
            return;
        if (_threads.TryGetValue(switched.At.ThreadId, out var state) && !state.IsRunning)
            preempted.Add(state.Since, switched.At.Time);
        _threads[switched.At.ThreadId] = (switched.At.Time, true);
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        if (!measuring.Contains(switched.At.ThreadId))
            return;
        if (_threads.TryGetValue(switched.At.ThreadId, out var state) && state.IsRunning)
            onCpu.Add(state.Since, switched.At.Time);
        if (switched.IsPreempted)
            _threads[switched.At.ThreadId] = (switched.At.Time, false);
        else
            _threads.Remove(switched.At.ThreadId);
    }

    private void OnThreadClock(in ThreadClock clock)
    {
        if (!measuring.Contains(clock.At.ThreadId) || !_clocks.TryRead(clock, out var span))
            return;
        preempted.Add(span.Readied, span.Running);
        onCpu.Add(span.Running, span.Stop);
    }
}
