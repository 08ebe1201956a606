using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Which events of a recording are CPU samples.</summary>
public sealed class PerfEventTests
{
    private static readonly PerfEventSettings s_cycles = new()
    {
        Kind = PerfEventKind.Hardware,
        Config = 0,
        SamplePeriod = 4000,
        Bits = PerfEventBits.Frequency,
    };
    private static readonly PerfEventSettings s_clock = new()
    {
        Kind = PerfEventKind.Software,
        Config = 0,
        SamplePeriod = 999,
        Bits = PerfEventBits.Frequency,
    };

    [Fact]
    public void Cycles_by_frequency_stand_in_for_a_clock()
    {
        Assert.Equal([true], Found(s_cycles));
        // Cycles of a kind of core; instructions.
        Assert.Equal([true, false], Found(s_cycles with { Config = 1UL << 32 }, s_cycles with { Config = 1 }));
        Assert.Equal([false, true], Found(s_cycles, s_clock));
        Assert.Equal([false], Found(s_cycles with { Bits = PerfEventBits.None }));
    }

    private static IEnumerable<bool> Found(params PerfEventSettings[] settings)
    {
        var events = settings.Select(item => new PerfEvent("", item, [])).ToList();
        PerfEvent.FindCpuTime(events);
        return events.Select(item => item.SamplesCpuTime);
    }
}
