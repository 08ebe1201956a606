using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>When records were lost: a ring reports a loss with the next record that fits.</summary>
public sealed class PerfDataGapTests
{
    /// <summary>The record after the loss has an earlier time than the report: the kernel read the clock before there was room.</summary>
    [Fact]
    public void A_gap_reaches_from_the_last_record_of_its_processor_to_the_report() =>
        Assert.Equal(
            [new EventGap(20, 50, 3)],
            Gaps(Switch(10, 0), Switch(20, 0), Lost(50, 0, 3), Switch(49, 0), Switch(30, 1), Switch(45, 1), HandMade.Round(), Switch(60, 0))
        );

    [Fact]
    public void Gaps_of_several_processors_are_one_where_they_overlap() =>
        Assert.Equal(
            [new EventGap(10, 45, 7), new EventGap(70, 80, 1)],
            Gaps(Switch(10, 0), Lost(40, 0, 3), Switch(20, 1), Lost(45, 1, 4), HandMade.Round(), Switch(70, 1), Lost(80, 1, 1))
        );

    /// <summary>
    /// The recorder finds the last losses by the events' counters, without a processor: they happened after the previous draining of the
    /// rings.
    /// </summary>
    [Fact]
    public void A_loss_at_the_end_begins_where_the_rings_were_drained_before() =>
        Assert.Equal(
            [new EventGap(30, 60, 9)],
            Gaps(
                Switch(10, 0),
                HandMade.Round(),
                Switch(30, 1),
                HandMade.Round(),
                Switch(60, 0),
                HandMade.Round(),
                HandMade.Other(13, 0, 60, 0, 0, 0, new Bytes().U64(9)),
                HandMade.Round()
            )
        );

    [Fact]
    public void A_whole_file_has_no_gaps() => Assert.Empty(Gaps(Switch(10, 0), Switch(20, 0)));

    private static byte[] Switch(ulong time, uint cpu) => HandMade.Other(14, 0, time, 7, 8, cpu, []);

    private static byte[] Lost(ulong time, uint cpu, ulong count) => HandMade.Other(2, 0, time, 7, 8, cpu, new Bytes().U64(101, count));

    private static IReadOnlyList<EventGap> Gaps(params byte[][] records)
    {
        using var file = new TemporaryFile(HandMade.WithClock(HandMade.File(HandMade.Join(records))));
        return PerfDataSource.Open(file.Path, 7, reportsLosses: true).Read(new EventHub()).Gaps;
    }
}
