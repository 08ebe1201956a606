using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class SteadyMachineTests
{
    [Fact]
    public void A_fast_machine_is_not_waited_for()
    {
        var waited = 0;
        var machine = new SteadyMachine(() => 100, _ => waited++);

        Assert.True(machine.WaitUntilSteady());
        Assert.True(machine.WaitUntilSteady());
        Assert.Equal(0, waited);
    }

    [Fact]
    public void A_slow_machine_is_waited_for_until_it_is_fast_again()
    {
        var speed = 100L;
        var waits = new List<TimeSpan>();
        var machine = new SteadyMachine(
            () => speed,
            pause =>
            {
                waits.Add(pause);
                if (waits.Count == 3)
                    speed = 124;
            }
        );
        machine.WaitUntilSteady();
        speed = 126;

        Assert.True(machine.WaitUntilSteady());
        Assert.Equal(Enumerable.Repeat(SteadyMachine.Pause, 3), waits);
    }

    [Fact]
    public void A_machine_that_stays_slow_is_waited_for_two_seconds()
    {
        var speed = 100L;
        var waited = TimeSpan.Zero;
        var machine = new SteadyMachine(() => speed, pause => waited += pause);
        machine.WaitUntilSteady();
        speed = 200;

        Assert.False(machine.WaitUntilSteady());
        Assert.Equal(TimeSpan.FromSeconds(2), waited);
    }

    [Fact]
    public void A_run_whose_only_thread_was_kept_from_a_processor_is_slow()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The thread's CPU clock of Windows advances by ticks of 15.6 ms.");
        var machine = new SteadyMachine(() => 100, _ => { });
        var kept = new RunMeasurement
        {
            StartTicks = 0,
            StopTicks = 1_000_000,
            TicksPerSecond = 1_000_000_000,
            ThreadCpuNanoseconds = 940_000,
            ProbeBeforeNanoseconds = 100,
            ProbeAfterNanoseconds = 100,
        };

        Assert.True(machine.IsSlow(kept));
        Assert.False(machine.IsSlow(kept, threads: 2));
        Assert.False(machine.IsSlow(kept with { ThreadCpuNanoseconds = 960_000 }));
        Assert.False(machine.IsSlow(kept with { ThreadCpuNanoseconds = -1 }));
    }

    [Fact]
    public void A_process_that_begins_on_a_slow_machine_learns_it_from_what_is_remembered()
    {
        var waited = 0;
        var machine = new SteadyMachine(() => 130, _ => waited++, remembered: 100);

        Assert.False(machine.WaitUntilSteady());
        Assert.True(machine.IsSlow(new RunMeasurement { ProbeBeforeNanoseconds = 130, ProbeAfterNanoseconds = 131 }));
        Assert.Equal(SteadyMachine.MaxChecks, waited);
        Assert.Equal(100, machine.Typical);
    }

    [Fact]
    public void What_is_remembered_is_given_up_when_it_never_comes_back()
    {
        var waited = 0;
        var machine = new SteadyMachine(() => 130, _ => waited++, remembered: 100);
        var runs = 1;
        while (!machine.WaitUntilSteady())
            runs++;

        Assert.Equal((30, SteadyMachine.MaxVainWaits), (runs, waited));
        Assert.False(machine.IsSlow(new RunMeasurement { ProbeBeforeNanoseconds = 130, ProbeAfterNanoseconds = 131 }));
        Assert.Equal(130, machine.Typical);
    }

    [Fact]
    public void A_lucky_reading_is_not_remembered()
    {
        var machine = new SteadyMachine(() => 100, _ => { });

        for (var run = 1; run <= 20; run++)
        {
            Assert.Null(machine.Typical);
            machine.IsSlow(new RunMeasurement { ProbeBeforeNanoseconds = run == 7 ? 60 : 100, ProbeAfterNanoseconds = 101 });
        }

        Assert.Equal(100, machine.Typical);
    }

    [Fact]
    public void Slow_readings_after_a_wait_do_not_mean_a_slow_machine()
    {
        var readings = new Queue<long>([100, 133, 130, 128, 101]);
        var waited = 0;
        var machine = new SteadyMachine(readings.Dequeue, _ => waited++);
        machine.WaitUntilSteady();

        Assert.True(machine.WaitUntilSteady());
        Assert.Equal((0, 0), (waited, readings.Count));
    }

    [Theory]
    [InlineData(110, 110, false)]
    [InlineData(125, 100, false)]
    [InlineData(126, 100, true)]
    [InlineData(100, 126, true)]
    [InlineData(120, 90, true)] // slow against the second one
    [InlineData(-1, -1, false)]
    public void A_run_is_slow_when_one_of_its_probes_is(long before, long after, bool isSlow)
    {
        var machine = new SteadyMachine(() => 100, _ => { });
        machine.WaitUntilSteady();

        Assert.Equal(isSlow, machine.IsSlow(new RunMeasurement { ProbeBeforeNanoseconds = before, ProbeAfterNanoseconds = after }));
    }
}
