using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>CPU time and ready time of threads at any time, interpolated between readings of their clocks.</summary>
/// <param name="ticksPerSecond">Ticks of the trace's clock in a second.</param>
internal sealed class ThreadClockTable(long ticksPerSecond) : IEventSubscriber
{
    /// <summary>Minimum distance of stored readings, 10 ms: a clock can stand still that long while its thread runs.</summary>
    private readonly long _distance = ticksPerSecond / 100;

    private readonly Dictionary<long, Clock> _clocks = [];

    /// <summary>Threads with readings.</summary>
    public IEnumerable<long> Threads => _clocks.Keys;

    /// <summary>Time of the first reading; 0 without one.</summary>
    public long First { get; private set; }

    /// <summary>Time of the last reading.</summary>
    public long Last { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe<ThreadClock>(OnThreadClock);

    /// <summary>Adds a reading; readings of one thread come in time order, others are damaged and ignored.</summary>
    public void Add(long thread, long time, long cpu, long ready)
    {
        First = _clocks.Count == 0 ? time : Math.Min(First, time);
        Last = Math.Max(Last, time);
        if (!_clocks.TryGetValue(thread, out var clock))
            _clocks.Add(thread, clock = new Clock(_distance));
        clock.Add(time, cpu, ready);
    }

    /// <summary>Whether there are readings of a thread.</summary>
    public bool Knows(long thread) => _clocks.ContainsKey(thread);

    /// <summary>
    /// CPU time and ready time of a thread between two times; time before its first and after its last reading counts as none.
    /// </summary>
    public (double Cpu, double Ready) Between(long thread, long start, long stop)
    {
        if (!_clocks.TryGetValue(thread, out var clock))
            return default;
        var (before, after) = (clock.At(start), clock.At(stop));
        return (Math.Max(0, after.Cpu - before.Cpu), Math.Max(0, after.Ready - before.Ready));
    }

    private void OnThreadClock(in ThreadClock clock) => Add(clock.At.ThreadId, clock.At.Time, clock.CpuTicks, clock.ReadyTicks);

    private sealed class Clock(long distance)
    {
        private readonly List<(long Time, long Cpu, long Ready)> _readings = [];
        private (long Cpu, long Ready) _last;

        /// <summary>Totals of previous threads with this id.</summary>
        private (long Cpu, long Ready) _before;

        public void Add(long time, long cpu, long ready)
        {
            if (_readings.Count > 0 && time <= _readings[^1].Time)
                return;
            if (cpu < _last.Cpu)
                _before = (_before.Cpu + _last.Cpu, _before.Ready + _last.Ready);
            _last = (cpu, ready);
            var reading = (time, _before.Cpu + cpu, _before.Ready + ready);
            if (_readings.Count > 1 && time - _readings[^2].Time < distance)
                _readings[^1] = reading;
            else
                _readings.Add(reading);
        }

        public (double Cpu, double Ready) At(long time)
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

            var before = _readings[Math.Max(low, 1) - 1];
            if (low == 0 || low == _readings.Count)
                return (before.Cpu, before.Ready);
            var after = _readings[low];
            var part = (double)(time - before.Time) / (after.Time - before.Time);
            return (before.Cpu + (part * (after.Cpu - before.Cpu)), before.Ready + (part * (after.Ready - before.Ready)));
        }
    }
}
