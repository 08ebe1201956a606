using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>When stacks of context switches are taken, by a clock of milliseconds.</summary>
public sealed class SwitchStackLimitTests
{
    private const int Cpus = 2;
    private const long Limit = SwitchStackLimit.MaxPerCpu * Cpus / 1000; // a ms

    private readonly SwitchStackLimit _limit = new(Cpus, 1000);
    private readonly List<(long Time, bool IsTaking)> _changes = [];
    private long _now = 1000;
    private long _switches;

    [Fact]
    public void At_the_limit_every_switch_has_its_stack()
    {
        Run(10_000, Limit);

        Assert.Empty(_changes);
        Assert.Equal(200, _limit.MillisecondsLeft(_now, 200));
    }

    [Fact]
    public void A_burst_passes_when_its_average_keeps_to_the_limit()
    {
        for (var burst = 0; burst < 10; burst++)
        {
            Run(50, 4 * Limit);
            Run(150, 0);
        }

        Assert.Empty(_changes);
    }

    [Fact]
    public void Above_the_limit_stacks_are_taken_in_a_window_of_each_half_second()
    {
        Run(3000, 4 * Limit);

        // What a burst may take is used up after 133 ms; a round is 5 ms.
        Assert.Equal([1135, 1610, 1635, 2110, 2135], _changes.Take(5).Select(change => change.Time));
        Assert.Equal([false, true, false, true, false], _changes.Take(5).Select(change => change.IsTaking));
    }

    [Fact]
    public void When_the_rate_falls_every_switch_has_its_stack_again()
    {
        Run(1000, 4 * Limit);
        _changes.Clear();
        Run(5000, Limit);

        Assert.True(Assert.Single(_changes[^1..]).IsTaking);
        Assert.InRange(_changes.Count, 1, 3);
        Assert.True(_limit.IsTaking);
        Assert.Equal(200, _limit.MillisecondsLeft(_now, 200));
    }

    [Fact]
    public void The_thread_waits_no_longer_than_until_the_next_decision()
    {
        Run(200, 4 * Limit);

        Assert.False(_limit.IsTaking);
        Assert.Equal(200, _limit.MillisecondsLeft(_now, 200));
        Assert.Equal(6, _limit.MillisecondsLeft(_changes[0].Time + 470, 200));
        Assert.Equal(0, _limit.MillisecondsLeft(_changes[0].Time + 480, 200));
    }

    /// <summary>Time passes in rounds of 5 ms.</summary>
    private void Run(int milliseconds, long perMillisecond)
    {
        for (var end = _now + milliseconds; _now < end;)
        {
            if (_limit.Update(_now, _switches))
                _changes.Add((_now, _limit.IsTaking));
            _now += 5;
            _switches += 5 * perMillisecond;
        }
    }
}
