using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>
/// Finds sleeps by the stacks of EventPipe's sample profiler, which also walks threads that wait: the runtime has no event for them. A
/// sleep lasts from its first to its last sample, so it is up to two ticks of the profiler too short. Two sleeps without a sample in
/// between, at the same place, are one.
/// </summary>
/// <remarks>
/// Other reasons are not taken: the runtime's events have them, or, as in a read or write, the thread may run.
/// </remarks>
/// <param name="places">Finds the locations.</param>
/// <param name="add">Receives the sleeps.</param>
internal sealed class SampledSleeps(WaitPlaces places, Action<EventWait> add) : IEventSubscriber
{
    private readonly Dictionary<long, Sampled> _threads = [];

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<ProfilerSample>(OnSample);

    /// <summary>The trace has ended.</summary>
    public void End()
    {
        foreach (var (thread, sampled) in _threads)
            Flush(thread, sampled);
        _threads.Clear();
    }

    private void OnSample(in ProfilerSample sample)
    {
        if (!_threads.TryGetValue(sample.At.ThreadId, out var sampled))
            _threads.Add(sample.At.ThreadId, sampled = new Sampled());

        // A thread that waits has the same stack at each tick.
        if (!sample.IsManaged && sample.Frames.SequenceEqual(sampled.Frames))
        {
            sampled.Stop = sample.At.Time;
            return;
        }

        Flush(sample.At.ThreadId, sampled);
        sampled.Set(sample.IsManaged ? [] : sample.Frames);
        (sampled.Start, sampled.Stop) = (sample.At.Time, sample.At.Time);
        sampled.Place = sampled.Frames.IsEmpty ? WaitPlace.Unknown : places.Of(sample.At, sample.Frames);
    }

    private void Flush(long thread, Sampled sampled)
    {
        if (sampled.Place.Reason == WaitReason.Sleep)
            add(new EventWait(thread, sampled.Start, sampled.Stop, sampled.Place, WaitSource.Samples));
        sampled.Place = WaitPlace.Unknown;
    }

    /// <summary>A thread with its last stack.</summary>
    private sealed class Sampled
    {
        private ulong[] _frames = new ulong[100];
        private int _count;

        public ReadOnlySpan<ulong> Frames => _frames.AsSpan(0, _count);

        public long Start { get; set; }

        public long Stop { get; set; }

        public WaitPlace Place { get; set; } = WaitPlace.Unknown;

        public void Set(ReadOnlySpan<ulong> frames)
        {
            if (_frames.Length < frames.Length)
                _frames = new ulong[frames.Length];
            frames.CopyTo(_frames);
            _count = frames.Length;
        }
    }
}
