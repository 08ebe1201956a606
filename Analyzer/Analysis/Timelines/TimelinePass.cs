using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Timelines;

/// <summary>What one process adds to the timeline of its recording.</summary>
/// <param name="measuring">Its threads that measure runs.</param>
/// <param name="onCpu">Gets their time on a processor.</param>
/// <param name="preempted">Gets their time after a preemption.</param>
/// <param name="jit">Gets the time of compilation.</param>
internal sealed class TimelinePass(IReadOnlySet<long> measuring, BucketSeries onCpu, BucketSeries preempted, BucketSeries jit) : TraceVisitor, ISpanSink
{
    private readonly Suspensions _suspensions = new();
    private readonly Compilations _compilations = new();

    /// <summary>Since when a measuring thread has been on its processor, or off it by preemption.</summary>
    private readonly Dictionary<long, (long Since, bool IsRunning)> _threads = [];

    /// <summary>Highest generation of the collections that have begun since the last pause ended; null for none.</summary>
    private int? _generation;

    /// <summary>Pauses in ticks, in the order of their ends.</summary>
    public List<(long Start, long Stop, int? Generation)> Pauses { get; } = [];

    public override void OnSuspendStarted(in EventAt at, SuspendReason reason) => _suspensions.Begin(at, reason);

    public override void OnCollectionStarted(in CollectionStarted collection) => _generation = Math.Max(_generation ?? 0, collection.Generation);

    public override void OnRestarted(in EventAt at)
    {
        if (!_suspensions.TryEnd(at, out var start))
            return;
        Pauses.Add((start, at.Time, _generation));
        _generation = null;
    }

    public override void OnJitStarted(in JitStarted compilation) => _compilations.Of(compilation.At.ThreadId).Begin(compilation.MethodId, compilation.At.Time);

    public override void OnMethodLoaded(in MethodLoaded method)
    {
        if (method.IsJitted)
            _compilations.Of(method.At.ThreadId).End(method.MethodId, method.At.Time, this);
    }

    /// <inheritdoc />
    public void Add(long start, long stop, int sign) => jit.Add(start, stop, sign);

    public override void OnSwitchedIn(in EventAt at)
    {
        if (!measuring.Contains(at.ThreadId))
            return;
        if (_threads.TryGetValue(at.ThreadId, out var state) && !state.IsRunning)
            preempted.Add(state.Since, at.Time);
        _threads[at.ThreadId] = (at.Time, true);
    }

    public override void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
        if (!measuring.Contains(at.ThreadId))
            return;
        if (_threads.TryGetValue(at.ThreadId, out var state) && state.IsRunning)
            onCpu.Add(state.Since, at.Time);
        if (isPreempted)
            _threads[at.ThreadId] = (at.Time, false);
        else
            _threads.Remove(at.ThreadId);
    }
}
