using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Converts events of EventPipe's sample profiler to CPU samples. Allocates for more threads, not per sample.</summary>
/// <remarks>
/// The profiler suspends the runtime, writes an event with its stack for every thread with managed frames, including waiting ones, resumes
/// the runtime, and sleeps (1 ms by default). It does not tick during another suspension, such as a GC. The payload contains the thread's
/// mode: managed code (2), or native code or a wait (1). Sources: ep-sample-profiler.c and ep-rt-coreclr.cpp of dotnet/runtime.
/// <para/>
/// A thread in managed code has presumably run since the last tick; that time is the sample's weight. It ends where the next tick's first
/// stack was walked, so it hardly contains the program's suspensions. Whether a thread in native code ran is unknown, so such a sample has
/// no weight and is not published. A gap without ticks (a GC, a stopped process, lost events) is not the program's CPU time, so a weight is
/// at most <see cref="MaxPeriods"/> times the usual time between ticks, a running median of the recorded ones.
/// <para/>
/// If the recorder read the threads' clocks, <see cref="ClockedSamples"/> converts these weights to the threads' CPU time.
/// </remarks>
/// <param name="hub">Receives the samples.</param>
/// <param name="clocked">Weights samples by the threads' clocks; null when not recorded.</param>
internal sealed class SampleProfilerEvents(EventHub hub, ClockedSamples? clocked = null)
{
    /// <summary>The provider's id, derived from its name like those of event sources.</summary>
    public static readonly Guid Provider = new("3c530d44-97ae-513a-1e6d-783e8f8e03a9");

    /// <summary>Maximum weight relative to the usual time between two ticks.</summary>
    internal const int MaxPeriods = 2;

    /// <summary>Maximum number of frames that the runtime keeps (EP_MAX_STACK_DEPTH); deeper stacks lack their callers.</summary>
    internal const int MaxFrames = 100;

    private const uint InManagedCode = 2;

    /// <summary>Threads of the tick: the profiler visits each once, so a repeated one begins the next tick.</summary>
    private readonly HashSet<long> _visited = [];

    /// <summary>Time of the last event.</summary>
    private long _last;

    /// <summary>Usual time between ticks; 0 before the second one.</summary>
    private long _period;

    /// <summary>Weight of this tick's samples; 0 in the first tick, because the preceding time is unknown.</summary>
    private long _weight;

    /// <summary>Adds an event.</summary>
    /// <param name="at">Time and sampled thread.</param>
    /// <param name="payload">The thread's mode.</param>
    /// <param name="frames">Its stack, leaf first.</param>
    public void Add(in EventAt at, ReadOnlySpan<byte> payload, ReadOnlySpan<ulong> frames)
    {
        if (payload.Length < sizeof(uint))
            return;
        hub.Recorded(EventKinds.CpuSamples);
        if (!_visited.Add(at.ThreadId))
            BeginTick(at);
        _last = at.Time;
        var isManaged = BinaryPrimitives.ReadUInt32LittleEndian(payload) == InManagedCode;
        if (hub.Wants<ProfilerSample>())
            hub.Publish(
                new ProfilerSample
                {
                    At = at,
                    IsManaged = isManaged,
                    Frames = frames,
                }
            );
        if (clocked is not null)
            clocked.Add(at, isManaged, _weight, frames);
        else if (_weight > 0 && isManaged)
            hub.Publish(
                new CpuSample(at, _weight, isKernel: false, frames, kernelFrames: 0)
                {
                    IsWalkedByRuntime = true,
                    IsCut = frames.Length == MaxFrames,
                }
            );
    }

    /// <summary>The trace has ended.</summary>
    public void Finish() => clocked?.Finish();

    private void BeginTick(in EventAt at)
    {
        _visited.Clear();
        _visited.Add(at.ThreadId);
        var elapsed = Math.Max(at.Time - _last, 0);
        _period = _period == 0 ? elapsed : Math.Max(1, _period + (Math.Sign(elapsed - _period) * ((_period / 16) + 1)));
        _weight = Math.Min(elapsed, MaxPeriods * _period);
    }
}
