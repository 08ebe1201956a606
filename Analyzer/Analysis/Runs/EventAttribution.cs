using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Second pass: gives each event of a process to the run in whose window it lies; spans are clipped to the windows.</summary>
/// <param name="windows">The runs.</param>
internal sealed class EventAttribution(RunWindows windows) : TraceVisitor
{
    private readonly Dictionary<long, long> _suspending = [];
    private readonly Dictionary<long, long> _contending = [];
    private readonly Dictionary<long, JitThread> _jitThreads = [];
    private long _pausesEnd = long.MinValue;

    /// <summary>On-CPU time; complete when it was told of the recording's begin and end.</summary>
    public ProcessorTime Processors { get; } = new(windows);

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

    public override void OnSwitchedIn(in EventAt at) => Processors.In(at);

    public override void OnSwitchedOut(in EventAt at, bool isPreempted) => Processors.Out(at);

    public override void OnThreadEnded(in EventAt at) => Processors.Ended(at);

    public override void OnCpuSample(in CpuSample sample) => Processors.Sampled(sample.At);

    private JitThread JitOf(long thread)
    {
        if (!_jitThreads.TryGetValue(thread, out var jit))
            _jitThreads.Add(thread, jit = new JitThread());
        return jit;
    }
}
