using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Weights samples of the sample profiler so that each thread's samples in a window add up to its clock's CPU time.</summary>
/// <remarks>
/// A thread runs or is ready in managed and native code, and waits only in native code. So its running and ready time goes first to samples
/// in managed code, each up to the time since the previous tick; the rest goes to samples in native code or a wait, with the same limit.
/// The weight is the part of this time on a processor. The samples may exceed it slightly: intervals cross a window's edges, and clocks
/// lag. The remaining CPU time, mostly that of GCs, during which the profiler does not tick, becomes a sample without a stack in the middle
/// of the window's longest gap between ticks. A thread without managed frames (GC, JIT) only has such samples.
/// </remarks>
/// <param name="hub">Receives the samples.</param>
/// <param name="clocks">The threads' clocks, in the trace's ticks.</param>
/// <param name="processId">The process.</param>
/// <param name="window">Length of a window (<see cref="Window"/>).</param>
internal sealed class ClockedSamples(EventHub hub, ThreadClockTable clocks, int processId, long window)
{
    /// <summary>Maximum time of samples relative to their intervals.</summary>
    private const double MaxStretch = 1.25;

    /// <summary>A longer time without samples is one window: its parts are unknown, and a damaged time may be centuries away.</summary>
    private const int MaxWindows = 5000;

    private readonly List<Pending> _samples = [];
    private readonly Dictionary<long, Share> _shares = [];

    /// <summary>Stacks of the samples, consecutively.</summary>
    private readonly List<ulong> _frames = [];
    private long _start = clocks.First;
    private (long Start, long Stop) _gap;
    private long _last = clocks.First;

    /// <summary>
    /// Length of a window in ticks: 20 ms, long relative to the profiler's ticks, short relative to most runs. If the clocks advance in
    /// steps, it has two of Windows's, 2 · 15.6 ms: a thread that always runs then has as much CPU time in each.
    /// </summary>
    /// <param name="ticksPerSecond">Ticks in a second.</param>
    /// <param name="isStepped">Whether the clocks advance in steps.</param>
    public static long Window(long ticksPerSecond, bool isStepped) => ticksPerSecond / (isStepped ? 32 : 50);

    /// <summary>Adds a sample.</summary>
    /// <param name="at">Time and thread.</param>
    /// <param name="isManaged">Whether it was in managed code.</param>
    /// <param name="elapsed">Time since the previous tick.</param>
    /// <param name="frames">Its stack, leaf first.</param>
    public void Add(in EventAt at, bool isManaged, long elapsed, ReadOnlySpan<ulong> frames)
    {
        CompleteUntil(at.Time);
        if (at.Time - _last > _gap.Stop - _gap.Start)
            _gap = (Math.Max(_start, _last), at.Time);
        _last = at.Time;
        _samples.Add(new Pending(at, isManaged, elapsed, _frames.Count, frames.Length));
        _frames.AddRange(frames);
        ref var share = ref CollectionsMarshal.GetValueRefOrAddDefault(_shares, at.ThreadId, out _);
        share.Add(isManaged, elapsed);
    }

    /// <summary>The trace has ended.</summary>
    public void Finish()
    {
        CompleteUntil(clocks.Last);
        Complete(_start + window);
    }

    private void CompleteUntil(long time)
    {
        while (time - _start >= window)
            Complete(time - _start > MaxWindows * window ? time : _start + window);
    }

    private void Complete(long stop)
    {
        if (stop - _last > _gap.Stop - _gap.Start)
            _gap = (Math.Max(_start, _last), stop);
        foreach (var thread in clocks.Threads)
        {
            ref var share = ref CollectionsMarshal.GetValueRefOrAddDefault(_shares, thread, out _);
            var (cpu, ready) = clocks.Between(thread, _start, stop);
            share.Weigh(cpu, ready);
            if (share.Unsampled > 0)
            {
                var at = new EventAt(_gap.Start + ((_gap.Stop - _gap.Start) / 2), processId, thread);
                hub.Publish(
                    new CpuSample(at, share.Unsampled, isKernel: false, default, 0) { IsWalkedByRuntime = true, IsCut = share.IsSampled }
                );
            }
        }

        var frames = CollectionsMarshal.AsSpan(_frames);
        foreach (var sample in _samples)
        {
            // The clock of a thread that lived between two readings was never read, so only its time since the previous tick is known.
            ref var share = ref CollectionsMarshal.GetValueRefOrNullRef(_shares, sample.At.ThreadId);
            var weight =
                clocks.Knows(sample.At.ThreadId) ? share.Take(sample.IsManaged, sample.Elapsed)
                : sample.IsManaged ? sample.Elapsed
                : 0;
            if (weight > 0)
                hub.Publish(
                    new CpuSample(sample.At, weight, isKernel: false, frames.Slice(sample.FramesAt, sample.Frames), 0)
                    {
                        IsWalkedByRuntime = true,
                        IsCut = sample.Frames == SampleProfilerEvents.MaxFrames,
                    }
                );
        }

        _samples.Clear();
        _frames.Clear();
        _shares.Clear();
        (_start, _gap) = (stop, default);
    }

    private readonly record struct Pending(EventAt At, bool IsManaged, long Elapsed, int FramesAt, int Frames);

    /// <summary>A thread in a window: the time of its samples, and the CPU part of it.</summary>
    private struct Share
    {
        /// <summary>Time that samples represent by the ticks.</summary>
        private long _managed;
        private long _external;

        /// <summary>CPU time per tick of these.</summary>
        private double _managedRate;
        private double _externalRate;

        /// <summary>CPU time assigned, exactly and in whole ticks.</summary>
        private double _due;
        private long _given;

        /// <summary>CPU time beyond what samples can represent.</summary>
        public long Unsampled { get; private set; }

        /// <summary>Whether it has samples.</summary>
        public readonly bool IsSampled => _managed + _external > 0;

        public void Add(bool isManaged, long elapsed)
        {
            if (isManaged)
                _managed += elapsed;
            else
                _external += elapsed;
        }

        public void Weigh(double cpu, double ready)
        {
            if (cpu <= 0)
                return;
            var (runnable, all) = (cpu + ready, _managed + _external);
            var onProcessor = cpu / runnable;
            if (runnable > all)
            {
                _managedRate = _externalRate = all == 0 ? 0 : Math.Min(runnable / all, MaxStretch) * onProcessor;
                Unsampled = (long)Math.Round(cpu - (all * _managedRate));
            }
            else if (runnable > _managed)
            {
                (_managedRate, _externalRate) = (onProcessor, (runnable - _managed) / _external * onProcessor);
            }
            else
            {
                _managedRate = cpu / _managed;
            }
        }

        /// <summary>The weight of a sample, without accumulating rounding errors.</summary>
        public long Take(bool isManaged, long elapsed)
        {
            _due += elapsed * (isManaged ? _managedRate : _externalRate);
            var weight = (long)Math.Round(_due) - _given;
            _given += weight;
            return weight;
        }
    }
}
