using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs.Costs;

/// <summary>
/// Second pass: attributes each event of a process to each run whose window contains it; spans are clipped to the windows.
/// </summary>
/// <param name="windows">The runs.</param>
/// <param name="layout">Names of the threads.</param>
/// <param name="stacks">Recognizes broken stacks.</param>
/// <param name="causes">Finds the causes of samples; null when methods have no names.</param>
internal sealed class EventAttribution(RunWindows windows, ProcessLayout layout, StackEnds stacks, CauseAttribution? causes = null)
    : IEventSubscriber
{
    private readonly Suspensions _suspensions = new();
    private readonly Dictionary<long, long> _contending = [];
    private readonly Compilations _compilations = new();
    private readonly JitTime _jitTime = new(windows);
    private readonly ProcessorTime _processors = new(windows, layout);
    private readonly ThreadClocks _clocks = new();
    private readonly Dictionary<long, MeasuringThread> _measuring = windows
        .Tallies.Select(tally => tally.MeasuringThread)
        .OfType<long>()
        .Distinct()
        .ToDictionary(thread => thread, thread => new MeasuringThread(thread, windows));

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<SuspendStarted>(OnSuspendStarted);
        hub.Subscribe<RuntimeResumed>(OnRuntimeResumed);
        hub.Subscribe<GcStarted>(OnGcStarted);
        hub.Subscribe<JitStarted>(OnJitStarted);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        hub.Subscribe<ExceptionThrown>(OnExceptionThrown);
        hub.Subscribe<ContentionStarted>(OnContentionStarted);
        hub.Subscribe<ContentionStopped>(OnContentionStopped);
        hub.Subscribe<AllocationTick>(OnAllocationTick);
        hub.Subscribe<AllocationSample>(OnAllocationSample);
        hub.Subscribe<SwitchedIn>(OnSwitchedIn);
        hub.Subscribe<SwitchedOut>(OnSwitchedOut);
        hub.Subscribe<ThreadReadied>(OnThreadReadied);
        hub.Subscribe<ThreadEnded>(OnThreadEnded);
        hub.Subscribe<ThreadClock>(OnThreadClock);
        hub.Subscribe<CpuSample>(OnCpuSample);
        hub.Subscribe<OtherProcessSample>(OnOtherProcessSample);
    }

    private void OnSuspendStarted(in SuspendStarted suspension) => _suspensions.Begin(suspension.At, suspension.Reason);

    private void OnRuntimeResumed(in RuntimeResumed resumed)
    {
        if (!_suspensions.TryEnd(resumed.At, out var start))
            return;
        foreach (var (tally, ticks) in windows.Clip(start, resumed.At.Time))
        {
            tally.PauseTicks += ticks;
            tally.MaxPauseTicks = Math.Max(tally.MaxPauseTicks, ticks);
        }
    }

    private void OnGcStarted(in GcStarted gc)
    {
        foreach (var (tally, _) in windows.AllAt(gc.At.Time))
        {
            tally.Gcs += gc.Generation switch
            {
                0 => new GcCounts(1, 0, 0),
                1 => new GcCounts(0, 1, 0),
                _ => new GcCounts(0, 0, 1),
            };
        }
    }

    private void OnJitStarted(in JitStarted compilation) =>
        _compilations.Of(compilation.At.ThreadId).Begin(compilation.MethodId, compilation.At.Time);

    private void OnMethodLoaded(in MethodLoaded method)
    {
        if (!method.IsJitted)
            return;
        foreach (var (tally, _) in windows.AllAt(method.At.Time))
            tally.JitMethods++;
        _compilations.Of(method.At.ThreadId).End(method.MethodId, method.At.Time, _jitTime);
    }

    private void OnExceptionThrown(in ExceptionThrown exception)
    {
        foreach (var (tally, _) in windows.AllAt(exception.At.Time))
            tally.Exceptions++;
    }

    private void OnContentionStarted(in ContentionStarted contention)
    {
        if (contention.IsNative)
            return;
        _contending[contention.At.ThreadId] = contention.At.Time;
        foreach (var (tally, _) in windows.AllAt(contention.At.Time))
            tally.Contentions++;
    }

    private void OnContentionStopped(in ContentionStopped contention)
    {
        if (contention.IsNative || !_contending.Remove(contention.At.ThreadId, out var start))
            return;
        foreach (var (tally, ticks) in windows.Clip(start, contention.At.Time))
            tally.ContentionTicks += ticks;
    }

    private void OnAllocationTick(in AllocationTick tick)
    {
        foreach (var (tally, _) in windows.AllAt(tick.At.Time))
            tally.TickBytes += tick.Bytes;
    }

    private void OnAllocationSample(in AllocationSample sample)
    {
        foreach (var (tally, _) in windows.AllAt(sample.At.Time))
            tally.SampledBytes += AllocationEstimate.OfSample(sample.ObjectBytes);
    }

    private void OnSwitchedIn(in SwitchedIn switched)
    {
        _processors.In(switched.At);
        if (_measuring.TryGetValue(switched.At.ThreadId, out var thread))
            thread.SwitchIn(switched.At.Time);
    }

    private void OnSwitchedOut(in SwitchedOut switched)
    {
        _processors.Out(switched.At);
        if (_measuring.TryGetValue(switched.At.ThreadId, out var thread))
            thread.SwitchOut(switched.At.Time, switched.IsPreempted);
    }

    private void OnThreadReadied(in ThreadReadied readied)
    {
        if (_measuring.TryGetValue(readied.At.ThreadId, out var thread))
            thread.Ready(readied.At.Time);
    }

    private void OnThreadEnded(in ThreadEnded ended)
    {
        _processors.Ended(ended.At);
        if (_measuring.TryGetValue(ended.At.ThreadId, out var thread))
            thread.Close(ended.At.Time);
    }

    private void OnThreadClock(in ThreadClock clock)
    {
        if (!_clocks.TryRead(clock, out var span))
            return;
        _processors.Add(clock.At.ThreadId, span.Running, span.Stop);
        if (_measuring.TryGetValue(clock.At.ThreadId, out var thread))
            thread.Spend(span);
    }

    private void OnCpuSample(in CpuSample sample)
    {
        _processors.Sampled(sample.At);
        foreach (var (tally, _) in windows.AllAt(sample.At.Time))
        {
            tally.Samples++;
            tally.SampledTicks += sample.CpuTicks;
            if (sample.IsKernel)
                tally.KernelSamples++;
            if (causes?.Add(sample, tally) ?? stacks.IsBroken(sample))
                tally.BrokenStacks++;
        }
    }

    private void OnOtherProcessSample(in OtherProcessSample sample)
    {
        if (!windows.Spans(sample.At.Time))
            return;
        foreach (var (tally, _) in windows.AllAt(sample.At.Time))
            tally.OtherProcessTicks += sample.CpuTicks;
    }

    /// <summary>The trace has ended.</summary>
    /// <param name="begin">
    /// Time from which all switches are recorded; null if there are none, or if some were lost, because the running threads at start and
    /// end are then unknown.
    /// </param>
    /// <param name="end">End of the recorded switches.</param>
    public void Finish(long? begin, long end)
    {
        if (begin is { } start)
            _processors.Complete(start, end);
        foreach (var (number, thread) in _measuring)
        {
            thread.Close(end);
            if (_clocks.LastReading(number) is { } last)
                thread.Spend(new ThreadSpan(last, end, end, end));
        }
    }

    /// <summary>Adds compilation time to the runs.</summary>
    private sealed class JitTime(RunWindows windows) : ISpanSink
    {
        public void Add(long start, long stop, int sign)
        {
            foreach (var (tally, ticks) in windows.Clip(start, stop))
                tally.JitTicks += sign * ticks;
        }
    }
}
