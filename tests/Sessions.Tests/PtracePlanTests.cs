using System.Text;
using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class PtracePlanTests
{
    private static readonly string[] s_sampler = ["esp-record", PtracePlan.Verb];

    [Fact]
    public void The_sampler_gets_all_that_it_needs_as_arguments()
    {
        var written = new SamplerArguments(
            "/proc/1/fd/2",
            1000,
            1536,
            new Dictionary<string, string?>
            {
                ["A"] = "x=y",
                ["EMPTY"] = "",
                ["GONE"] = null,
            },
            ["/bin/program", "--", "-a"]
        );
        var read = SamplerArguments.Parse(written.Write());
        Assert.Equal(written.Pipe, read.Pipe);
        Assert.Equal((1000, 1536), (read.SampleRateHz, read.StackBytes));
        Assert.Equal(written.Variables, read.Variables);
        Assert.Equal(written.Command, read.Command);
    }

    [Fact]
    public void Variables_of_the_program_replace_those_of_the_sampler()
    {
        var environment = new SamplerArguments(
            "",
            1,
            0,
            new Dictionary<string, string?> { ["PATH"] = null, ["ESP_ADDED"] = "1" },
            []
        ).Environment();
        Assert.Contains("ESP_ADDED=1", environment);
        Assert.DoesNotContain(environment, variable => variable.StartsWith("PATH=", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("12 345 6\n", true)]
    [InlineData("0 0 0\n", true)]
    [InlineData("12 345", false)]
    [InlineData("12 ", false)]
    [InlineData("", false)] // the thread has ended
    public void The_schedule_of_a_thread_has_three_numbers(string text, bool valid)
    {
        Assert.Equal(valid, ThreadSchedule.TryParse(Encoding.ASCII.GetBytes(text), out var schedule));
        Assert.Equal(text.StartsWith("12 345 6", StringComparison.Ordinal) ? new ThreadSchedule(12, 345, 6) : default, schedule);
    }

    [Fact]
    public void A_higher_rate_than_a_stop_permits_is_lowered()
    {
        Assert.Equal(PtracePlan.MaxSampleRateHz, PtracePlan.Create(s_sampler, 100_000).SampleRateHz);
        Assert.Equal(100, PtracePlan.Create(s_sampler, 100).SampleRateHz);
    }

    [Fact]
    public void Ptrace_is_for_one_launched_program()
    {
        foreach (var scope in (PerfEventScope[])[PerfEventScope.Attach, PerfEventScope.SystemWide])
            Assert.Contains(
                "only a program that esp-record launches",
                Assert.Throws<SamplerException>(() => SamplerLadder.Choose(CpuSampler.Ptrace, scope, 1000, 1536, s_sampler)).Message,
                StringComparison.Ordinal
            );
    }

    [Fact]
    public void The_best_step_that_is_permitted_is_taken()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the ladder is for Linux");
        var (sampler, plan, note) = SamplerLadder.Choose(CpuSampler.Auto, PerfEventScope.Launch, 1000, 1536, s_sampler);
        var permitted = SamplerLadder.Steps.First(step => step.Refusal() is null);
        Assert.Equal(permitted.Sampler, sampler);
        Assert.Equal(permitted.Sampler, plan?.Sampler);
        Assert.Equal(permitted.Sampler == CpuSampler.Perf, note.Length == 0);
    }
}
