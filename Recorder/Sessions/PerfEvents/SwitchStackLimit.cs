namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// Decides when stacks of context switches are taken. A stack is some 2 KB and takes 4 to 8 us, its call chain alone about as long. So two
/// threads that take turns 100,000 times a second would write 230 MB a second and lose half of their time. Above <see cref="MaxPerCpu"/>,
/// stacks are taken in one window per period; the switches themselves are always recorded. A short burst keeps its stacks: the limit is a
/// token bucket.
/// </summary>
/// <remarks>
/// The draining thread updates it after each round, so decisions come at most a ring's quarter late, and that thread must not wait longer
/// than <see cref="MillisecondsLeft"/>. Times are <see cref="System.Diagnostics.Stopwatch"/> ticks.
/// </remarks>
/// <param name="cpus">Number of CPUs.</param>
/// <param name="ticksPerSecond">Ticks of a second.</param>
internal sealed class SwitchStackLimit(int cpus, long ticksPerSecond)
{
    /// <summary>Switch-outs per second and CPU at which stacks take about 5 % of the CPU.</summary>
    public const int MaxPerCpu = 8000;

    /// <summary>Seconds whose unused stacks a burst may take: on two CPUs 6,400 stacks, which fit into one default ring.</summary>
    private const double BurstSeconds = 0.4;

    /// <summary>Stacks are taken again after this time, and omitted for good only while the rate stays above the limit.</summary>
    private const double PeriodSeconds = 0.5;

    /// <summary>Part of a period with stacks: at 100,000 switches a second 2,500 of them.</summary>
    private const double WindowSeconds = 0.025;

    private readonly double _maxPerTick = (double)MaxPerCpu * cpus / ticksPerSecond;
    private double _tokens = MaxPerCpu * cpus * BurstSeconds;
    private long _time;
    private long _switches;

    /// <summary>End of the current window, or of the time without stacks; 0 below the limit.</summary>
    private long _deadline;

    /// <summary>Whether stacks are taken now.</summary>
    public bool IsTaking { get; private set; } = true;

    /// <summary>Updates the decision.</summary>
    /// <param name="time">The time.</param>
    /// <param name="switches">Number of switch-outs so far.</param>
    /// <returns>Whether <see cref="IsTaking"/> changed.</returns>
    public bool Update(long time, long switches)
    {
        if (_time == 0)
            (_time, _switches) = (time, switches);
        if (_deadline == 0)
        {
            _tokens = Math.Min(_tokens + (time - _time) * _maxPerTick, MaxPerCpu * cpus * BurstSeconds) - (switches - _switches);
            (_time, _switches) = (time, switches);
            return _tokens < 0 && Omit(time);
        }

        if (time < _deadline)
            return false;
        if (IsTaking)
            return Omit(time);
        if (switches - _switches > (time - _time) * _maxPerTick)
            _deadline = time + Ticks(WindowSeconds);
        else
            (_deadline, _tokens) = (0, 0);
        (_time, _switches) = (time, switches);
        IsTaking = true;
        return true;
    }

    /// <summary>Time until the next decision.</summary>
    /// <param name="time">The time.</param>
    /// <param name="longest">Answer when none is due.</param>
    public int MillisecondsLeft(long time, int longest) =>
        _deadline == 0 ? longest : (int)Math.Clamp((_deadline - time) * 1000 / ticksPerSecond + 1, 0, longest);

    private bool Omit(long time)
    {
        _deadline = time + Ticks(PeriodSeconds - WindowSeconds);
        IsTaking = false;
        return true;
    }

    private long Ticks(double seconds) => (long)(seconds * ticksPerSecond);
}
