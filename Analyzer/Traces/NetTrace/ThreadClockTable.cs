using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>CPU time of threads at any time, by readings of their clocks: between two readings a clock moves evenly.</summary>
internal sealed class ThreadClockTable : IEventSubscriber
{
    /// <summary>Readings are kept at this distance, 10 ms: a clock stands still for as long while its thread runs.</summary>
    private const long Distance = 10_000_000;

    private readonly Dictionary<long, Clock> _clocks = [];

    /// <summary>Threads with readings.</summary>
    public IEnumerable<long> Threads => _clocks.Keys;

    /// <summary>Time of the first reading, 0 without one.</summary>
    public long First { get; private set; }

    /// <summary>Time of the last reading.</summary>
    public long Last { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<ThreadClock>(OnThreadClock);

    /// <summary>Adds a reading; those of one thread come in order of time, others are damaged and do not count.</summary>
    public void Add(long thread, long time, long cpu)
    {
        First = _clocks.Count == 0 ? time : Math.Min(First, time);
        Last = Math.Max(Last, time);
        if (!_clocks.TryGetValue(thread, out var clock))
            _clocks.Add(thread, clock = new Clock());
        clock.Add(time, cpu);
    }

    /// <summary>Whether a thread's clock was read.</summary>
    public bool Knows(long thread) => _clocks.ContainsKey(thread);

    /// <summary>CPU time of a thread between two times; what lies before its first reading and after its last one is not known, and counts as none.</summary>
    public double Between(long thread, long start, long stop) => _clocks.TryGetValue(thread, out var clock) ? Math.Max(0, clock.At(stop) - clock.At(start)) : 0;

    private void OnThreadClock(in ThreadClock clock) => Add(clock.At.ThreadId, clock.At.Time, clock.CpuTicks);

    private sealed class Clock
    {
        private readonly List<(long Time, long Cpu)> _readings = [];
        private long _last;

        /// <summary>CPU time of threads that had this id before.</summary>
        private long _before;

        public void Add(long time, long cpu)
        {
            if (_readings.Count > 0 && time <= _readings[^1].Time)
                return;
            if (cpu < _last)
                _before += _last;
            _last = cpu;
            if (_readings.Count > 1 && time - _readings[^2].Time < Distance)
                _readings[^1] = (time, _before + cpu);
            else
                _readings.Add((time, _before + cpu));
        }

        public double At(long time)
        {
            var (low, high) = (0, _readings.Count);
            while (low < high)
            {
                var middle = (low + high) / 2;
                if (_readings[middle].Time <= time)
                    low = middle + 1;
                else
                    high = middle;
            }

            if (low == 0)
                return _readings[0].Cpu;
            var before = _readings[low - 1];
            if (low == _readings.Count)
                return before.Cpu;
            var after = _readings[low];
            return before.Cpu + ((double)(after.Cpu - before.Cpu) * (time - before.Time) / (after.Time - before.Time));
        }
    }
}
