using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Second pass: gives each event of a process to the run in whose window it lies; spans are clipped to the windows.</summary>
/// <param name="windows">The runs.</param>
/// <param name="layout">Names of the threads.</param>
/// <param name="stacks">Tells broken stacks.</param>
/// <param name="causes">Gives samples their causes; null when methods have no names.</param>
internal sealed class EventAttribution(RunWindows windows, ProcessLayout layout, StackEnds stacks, CauseAttribution? causes = null) : TraceVisitor
{
    private readonly Dictionary<long, long> _suspending = [];
    private readonly Dictionary<long, long> _contending = [];
    private readonly Dictionary<long, JitThread> _jitThreads = [];
    private readonly ProcessorTime _processors = new(windows, layout);
    private readonly Dictionary<long, MeasuringThread> _measuring = windows.Tallies.Select(tally => tally.MeasuringThread).OfType<long>().Distinct()
        .ToDictionary(thread => thread, thread => new MeasuringThread(thread, windows));

    private long _pausesEnd = long.MinValue;

    public override void OnSuspendStarted(in EventAt at, SuspendReason reason)
    {
        if (reason is SuspendReason.Collection or SuspendReason.CollectionPreparation)
            _suspending[at.ThreadId] = at.Time;
        else
            _suspending.Remove(at.ThreadId);
    }

    public override void OnRestarted(in EventAt at)
    {
        if (!_suspending.Remove(at.ThreadId, out var start))
            return;

        // A thread that asks for a suspension waits while another holds one: time that was counted is not counted again.
        start = Math.Max(start, _pausesEnd);
        if (at.Time <= start)
            return;
        _pausesEnd = at.Time;
        foreach (var (tally, ticks) in windows.Clip(start, at.Time))
        {
            tally.PauseTicks += ticks;
            tally.LongestPauseTicks = Math.Max(tally.LongestPauseTicks, ticks);
        }
    }

    public override void OnCollectionStarted(in CollectionStarted collection)
    {
        if (windows.At(collection.At.Time) is not { } tally)
            return;
        tally.Collections += collection.Generation switch
        {
            0 => new CollectionCounts(1, 0, 0),
            1 => new CollectionCounts(0, 1, 0),
            _ => new CollectionCounts(0, 0, 1),
        };
    }

    public override void OnJitStarted(in EventAt at, long methodId) => JitOf(at.ThreadId).Begin(methodId, at.Time);

    public override void OnMethodLoaded(in EventAt at, long methodId, bool isJitted)
    {
        if (!isJitted)
            return;
        if (windows.At(at.Time) is { } tally)
            tally.JitMethods++;
        JitOf(at.ThreadId).End(methodId, at.Time, windows);
    }

    public override void OnExceptionThrown(in EventAt at)
    {
        if (windows.At(at.Time) is { } tally)
            tally.Exceptions++;
    }

    public override void OnContentionStarted(in EventAt at, bool isNative)
    {
        if (isNative)
            return;
        _contending[at.ThreadId] = at.Time;
        if (windows.At(at.Time) is { } tally)
            tally.Contentions++;
    }

    public override void OnContentionStopped(in EventAt at, bool isNative)
    {
        if (isNative || !_contending.Remove(at.ThreadId, out var start))
            return;
        foreach (var (tally, ticks) in windows.Clip(start, at.Time))
            tally.ContentionTicks += ticks;
    }

    public override void OnAllocationTick(in EventAt at, long bytes)
    {
        if (windows.At(at.Time) is { } tally)
            tally.TickBytes += bytes;
    }

    public override void OnAllocationSampled(in EventAt at, long objectBytes)
    {
        if (windows.At(at.Time) is { } tally)
            tally.SampledBytes += AllocationEstimate.OfSample(objectBytes);
    }

    public override void OnSwitchedIn(in EventAt at)
    {
        _processors.In(at);
        if (_measuring.TryGetValue(at.ThreadId, out var thread))
            thread.Come(at.Time);
    }

    public override void OnSwitchedOut(in EventAt at, bool isPreempted)
    {
        _processors.Out(at);
        if (_measuring.TryGetValue(at.ThreadId, out var thread))
            thread.Leave(at.Time, isPreempted);
    }

    public override void OnMadeReady(in EventAt at)
    {
        if (_measuring.TryGetValue(at.ThreadId, out var thread))
            thread.Wake(at.Time);
    }

    public override void OnThreadEnded(in EventAt at)
    {
        _processors.Ended(at);
        if (_measuring.TryGetValue(at.ThreadId, out var thread))
            thread.Close(at.Time);
    }

    public override void OnCpuSample(in CpuSample sample)
    {
        _processors.Sampled(sample.At);
        if (windows.At(sample.At.Time) is not { } tally)
            return;
        tally.Samples++;
        tally.SampledTicks += sample.CpuTicks;
        if (sample.IsKernel)
            tally.KernelSamples++;
        if (causes?.Add(sample, tally) ?? stacks.IsBroken(sample))
            tally.BrokenStacks++;
    }

    /// <summary>The trace has ended.</summary>
    /// <param name="begin">From when on it holds all switches; null when some were lost, and with them who was on a processor at its begin and its end.</param>
    /// <param name="end">Up to when.</param>
    public void Finish(long? begin, long end)
    {
        if (begin is { } start)
            _processors.Complete(start, end);
        foreach (var thread in _measuring.Values)
            thread.Close(end);
    }

    private JitThread JitOf(long thread)
    {
        if (!_jitThreads.TryGetValue(thread, out var jit))
            _jitThreads.Add(thread, jit = new JitThread());
        return jit;
    }
}
