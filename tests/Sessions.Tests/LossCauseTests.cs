using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class LossCauseTests
{
    [Fact]
    public void A_recorder_that_waited_for_a_processor_needs_precedence_or_larger_rings()
    {
        var cause = LossCause.Of(
            new DrainStatistics(16 << 20, Precedence.ShortSlices, TimeSpan.FromSeconds(3.2), TimeSpan.FromSeconds(3.6))
        );

        Assert.Equal("its rings of 16MB per CPU were full while the recorder waited 3.2 s for a processor", cause.Reason);
        Assert.StartsWith("run as root or with CAP_SYS_NICE, or record with --buffer 64MB", cause.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void With_the_highest_priority_and_the_largest_rings_only_fewer_events_help()
    {
        var cause = LossCause.Of(
            new DrainStatistics(PerfEventPlan.MaxRingBytes, Precedence.HighestPriority, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1))
        );

        Assert.Equal("record fewer events (--no-switch-stacks, --no-stack-dump)", cause.Advice);
    }

    [Fact]
    public void A_recorder_that_wrote_most_of_the_time_needs_a_faster_disk()
    {
        var cause = LossCause.Of(
            new DrainStatistics(4 << 20, Precedence.HighestPriority, TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(5))
        );

        Assert.Equal("its rings of 4MB per CPU were full while the recorder wrote for 5.0 s", cause.Reason);
        Assert.StartsWith("record onto a faster disk (--out), or record with --buffer 16MB", cause.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_kernels_count_no_reason_is_guessed() =>
        Assert.Equal(
            "its rings of 4MB per CPU were full",
            LossCause.Of(new DrainStatistics(4 << 20, Precedence.None, null, TimeSpan.FromSeconds(5))).Reason
        );
}
