using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>The plan for each privilege.</summary>
public sealed class PerfEventPlanTests
{
    private static readonly PerfEventPermissions s_user = new(Paranoid: 2, Privileged: false, LockExempt: false);
    private static readonly PerfEventPermissions s_root = new(Paranoid: 2, Privileged: true, LockExempt: true);
    private static readonly LockedMemory s_memory = new(516 << 10, 8 << 20, Cpus: 2);

    [Fact]
    public void An_ordinary_user_samples_user_mode_and_records_switches()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Launch, 1000, s_user, s_memory, null, null);

        var planned = Assert.Single(plan.Events);
        Assert.Equal("cpu-clock:u", planned.Name);
        var settings = planned.Settings;
        Assert.Equal((PerfEventKind.Software, 0UL, 1_000_000UL), (settings.Kind, settings.Config, settings.SamplePeriod));
        Assert.Equal(PerfEventSettings.ClockMonotonic, settings.ClockId);
        Assert.Equal(
            PerfSampleFields.Identifier
                | PerfSampleFields.Ip
                | PerfSampleFields.Tid
                | PerfSampleFields.Time
                | PerfSampleFields.Cpu
                | PerfSampleFields.Period
                | PerfSampleFields.CallChain,
            settings.SampleFields
        );
        const PerfEventBits Needed =
            PerfEventBits.Disabled
            | PerfEventBits.EnableOnExec
            | PerfEventBits.Inherit
            | PerfEventBits.ContextSwitch
            | PerfEventBits.Comm
            | PerfEventBits.Mmap2
            | PerfEventBits.Task
            | PerfEventBits.SampleIdAll
            | PerfEventBits.UseClockId
            | PerfEventBits.ExcludeKernel;
        Assert.Equal(Needed, settings.Bits & Needed);
        Assert.Equal(PerfEventBits.None, settings.Bits & PerfEventBits.Frequency);
        Assert.Equal(2, plan.Notes.Count);
        Assert.Equal(4 << 20, plan.RingBytes);
    }

    [Fact]
    public void Root_records_kernel_frames_and_every_hit_of_both_tracepoints()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Launch, 1000, s_root, s_memory, 372, 375);

        Assert.Equal(["cpu-clock", "sched:sched_switch", "sched:sched_waking"], plan.Events.Select(item => item.Name));
        Assert.Equal(PerfEventBits.None, plan.Events[0].Settings.Bits & PerfEventBits.ExcludeKernel);
        Assert.Equal([372UL, 375], plan.Events.Skip(1).Select(item => item.Settings.Config));
        Assert.All(plan.Events.Skip(1), item => Assert.Equal(1UL, item.Settings.SamplePeriod));
        Assert.All(plan.Events.Skip(1), item => Assert.NotEqual(PerfSampleFields.None, item.Settings.SampleFields & PerfSampleFields.Raw));
        Assert.Equal([false, false, true], plan.Events.Select(item => item.AllThreads));
        Assert.Empty(plan.Notes);
    }

    [Fact]
    public void Root_without_tracepoints_records_the_stack_of_every_switch_by_a_software_event()
    {
        var plan = PerfEventPlan.Create(
            PerfEventScope.Launch,
            1000,
            s_root,
            s_memory,
            null,
            null,
            dumpRegisters: UserRegisterSet.X64,
            switchStackBytes: 1024
        );

        Assert.Equal(["cpu-clock", "context-switches"], plan.Events.Select(item => item.Name));
        var settings = plan.Events[1].Settings;
        Assert.Equal(
            (PerfEventKind.Software, 3UL, 1UL, 1024U, UserRegisterSet.X64),
            (settings.Kind, settings.Config, settings.SamplePeriod, settings.StackUserBytes, settings.RegistersUser)
        );
        Assert.Equal(PerfEventBits.None, settings.Bits & (PerfEventBits.ExcludeKernel | PerfEventBits.Frequency));
        Assert.Equal(plan.Events[0].Settings.ClockId, settings.ClockId);
    }

    [Theory]
    [InlineData(null, -1, 0)]
    [InlineData(0, 1, 0)]
    [InlineData(1024, 1, 1024)]
    public void Where_tracepoints_are_recorded_theirs_are_the_stacks_of_switches(int? switchStackBytes, int withStacks, uint copied)
    {
        var plan = PerfEventPlan.Create(
            PerfEventScope.Launch,
            1000,
            s_root,
            s_memory,
            372,
            375,
            dumpRegisters: UserRegisterSet.X64,
            switchStackBytes: switchStackBytes
        );

        Assert.Equal(["cpu-clock", "sched:sched_switch", "sched:sched_waking"], plan.Events.Select(item => item.Name));
        Assert.Equal(withStacks, plan.SwitchStackEvent);
        Assert.Equal([copied, 0U], plan.Events.Skip(1).Select(item => item.Settings.StackUserBytes));
    }

    /// <summary>The kernel counts switches in kernel mode: an event that excludes it never happens.</summary>
    [Fact]
    public void An_ordinary_user_reads_why_switches_have_no_stacks()
    {
        var plan = PerfEventPlan.Create(
            PerfEventScope.Launch,
            1000,
            s_user,
            s_memory,
            null,
            null,
            dumpRegisters: UserRegisterSet.X64,
            switchStackBytes: 1024
        );

        Assert.Equal("cpu-clock:u", Assert.Single(plan.Events).Name);
        Assert.Contains(
            plan.Notes,
            note => note.StartsWith("no stacks of context switches: they need root, CAP_PERFMON", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Without_a_sampler_an_event_that_never_happens_brings_the_switches()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Launch, 1000, s_user, s_memory, null, null, samples: false);

        var planned = Assert.Single(plan.Events);
        Assert.Equal(("dummy:u", 9UL, 0UL), (planned.Name, planned.Settings.Config, planned.Settings.SamplePeriod));
        Assert.NotEqual(PerfEventBits.None, planned.Settings.Bits & PerfEventBits.ContextSwitch);
        Assert.False(plan.TakesSamples);
    }

    [Theory]
    [InlineData(Architecture.X64, 0b1_1100_0000UL)] // BP 6, SP 7, IP 8
    [InlineData(Architecture.Arm64, 0xfUL << 29)] // x29, LR 30, SP 31, PC 32
    public void Samples_carry_what_is_needed_to_find_lost_callers(Architecture architecture, ulong mask)
    {
        var settings = PerfEventPlan
            .Create(
                PerfEventScope.Launch,
                1000,
                s_user,
                s_memory,
                null,
                null,
                dumpRegisters: PerfEventPlan.DumpRegisters(architecture),
                stackDumpBytes: 512
            )
            .Events[0]
            .Settings;

        const PerfSampleFields Dump = PerfSampleFields.RegistersUser | PerfSampleFields.StackUser;
        Assert.Equal((Dump, mask, 512U), (settings.SampleFields & Dump, settings.RegistersUser, settings.StackUserBytes));
        Assert.Equal(
            (PerfSampleFields.None, mask, 512U, true),
            (
                settings.WithUnlistedDump().SampleFields & Dump,
                settings.WithUnlistedDump().RegistersUser,
                settings.WithUnlistedDump().StackUserBytes,
                settings.WithUnlistedDump().HasUnlistedDump
            )
        );
    }

    [Fact]
    public void Stack_is_left_out_on_request_on_other_architectures_and_without_samples()
    {
        PerfEventPlan[] plans =
        [
            PerfEventPlan.Create(
                PerfEventScope.Launch,
                1000,
                s_user,
                s_memory,
                null,
                null,
                dumpRegisters: PerfEventPlan.DumpRegisters(Architecture.X64),
                stackDumpBytes: 0
            ),
            PerfEventPlan.Create(
                PerfEventScope.Launch,
                1000,
                s_user,
                s_memory,
                null,
                null,
                dumpRegisters: PerfEventPlan.DumpRegisters(Architecture.S390x)
            ),
            PerfEventPlan.Create(
                PerfEventScope.Launch,
                1000,
                s_user,
                s_memory,
                null,
                null,
                samples: false,
                dumpRegisters: PerfEventPlan.DumpRegisters(Architecture.X64)
            ),
        ];

        Assert.All(
            plans,
            plan =>
                Assert.Equal(
                    (0, 0UL, 0U, PerfSampleFields.None),
                    (
                        plan.StackDumpBytes,
                        plan.Events[0].Settings.RegistersUser,
                        plan.Events[0].Settings.StackUserBytes,
                        plan.Events[0].Settings.SampleFields & (PerfSampleFields.RegistersUser | PerfSampleFields.StackUser)
                    )
                )
        );
    }

    [Fact]
    public void Without_tracefs_root_reads_how_to_mount_it()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Launch, 1000, s_root, s_memory, null, null);

        Assert.Single(plan.Events);
        Assert.Contains("mount -t tracefs", Assert.Single(plan.Notes), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(PerfEventScope.Launch, true, true)]
    [InlineData(PerfEventScope.Attach, true, false)]
    [InlineData(PerfEventScope.SystemWide, false, false)]
    public void The_scope_decides_who_inherits_and_what_starts_the_events(PerfEventScope scope, bool inherit, bool onExec)
    {
        var plan = PerfEventPlan.Create(scope, 1000, s_root, s_memory, 372, 375);

        Assert.Equal([inherit, inherit, false], plan.Events.Select(item => (item.Settings.Bits & PerfEventBits.Inherit) != 0));
        Assert.Equal([onExec, onExec, false], plan.Events.Select(item => (item.Settings.Bits & PerfEventBits.EnableOnExec) != 0));
        Assert.Equal([!inherit, !inherit, true], plan.Events.Select(item => item.AllThreads));
    }

    [Theory]
    [InlineData(3, "sysctl kernel.perf_event_paranoid=2")]
    [InlineData(4, "sysctl kernel.perf_event_paranoid=2")]
    [InlineData(null, "docker run --cap-add PERFMON")]
    public void What_is_not_permitted_is_an_error_with_a_fix(int? paranoid, string fix)
    {
        var error = Assert.Throws<PerfEventException>(() =>
            PerfEventPlan.Create(PerfEventScope.Launch, 1000, s_user with { Paranoid = paranoid }, s_memory, null, null)
        );

        Assert.Contains(fix, error.Fix, StringComparison.Ordinal);
        Assert.Contains(error.Fix, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void All_processes_need_a_privilege()
    {
        var error = Assert.Throws<PerfEventException>(() =>
            PerfEventPlan.Create(PerfEventScope.SystemWide, 1000, s_user, s_memory, null, null)
        );

        Assert.Contains("CAP_PERFMON", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(8 << 20, 2, 4 << 20)] // measured: 4 MiB a CPU are permitted, 8 MiB are not
    [InlineData(64 << 10, 2, 512 << 10)]
    [InlineData(8 << 20, 64, 512 << 10)]
    [InlineData(0, 1, 512 << 10)]
    public void Rings_fit_the_memory_that_may_be_locked(int processBytes, int cpus, int expected) =>
        Assert.Equal(expected, new LockedMemory(516 << 10, processBytes, cpus).RingBytes(PerfEventPlan.DefaultRingBytes));

    [Theory]
    [InlineData(true, 2, 0, 16 << 20)]
    [InlineData(true, 64, 0, 4 << 20)] // all rings together keep below 256 MiB
    [InlineData(true, 96, 0, 2 << 20)]
    [InlineData(true, 64, 40 << 20, 64 << 20)] // the request is granted, as a power of two
    [InlineData(false, 2, 64 << 20, 4 << 20)]
    public void Rings_have_the_requested_size_or_what_may_be_locked(bool root, int cpus, int requested, int expected)
    {
        var plan = PerfEventPlan.Create(
            PerfEventScope.Launch,
            1000,
            root ? s_root : s_user,
            s_memory with
            {
                Cpus = cpus,
            },
            372,
            375,
            ringBytes: requested
        );

        Assert.Equal(expected, plan.RingBytes);
        Assert.Equal(
            expected < requested,
            plan.Notes.Any(note => note.StartsWith("no rings of 64MB: an ordinary user may lock 4MB per CPU", StringComparison.Ordinal))
        );
    }

    [Theory]
    [InlineData("0-1\n", new[] { 0, 1 })]
    [InlineData("0", new[] { 0 })]
    [InlineData("0-2,5,7-8", new[] { 0, 1, 2, 5, 7, 8 })]
    public void Lists_of_processors_are_read(string list, int[] expected) => Assert.Equal(expected, OnlineCpus.Parse(list));

    [Theory]
    [InlineData(432 + 32, "cpu-clock")] // 2 processors, 216 threads
    [InlineData(434 + 32, "cpu-clock, sched:sched_waking")] // it needs one a processor, for all threads
    [InlineData(864 + 32, "cpu-clock, sched:sched_switch")]
    [InlineData(866 + 32, "cpu-clock, sched:sched_switch, sched:sched_waking")]
    public void Events_that_need_more_open_files_than_permitted_are_left_out_and_named(int limit, string expected)
    {
        var plan = PerfEventPlan
            .Create(PerfEventScope.Attach, 1000, s_root, s_memory, 372, 375)
            .Within(new OpenFiles(limit + 100, Used: 100), threads: 216, cpus: 2);

        Assert.Equal(expected, string.Join(", ", plan.Events.Select(item => item.Name)));
        Assert.Equal(3 - plan.Events.Count, plan.Notes.Count);
        Assert.All(plan.Notes, note => Assert.EndsWith("; raise 'ulimit -n'", note, StringComparison.Ordinal));
    }

    [Fact]
    public void Without_open_files_for_the_first_event_the_problem_says_how_many_it_needs()
    {
        var plan = PerfEventPlan.Create(PerfEventScope.Attach, 1000, s_root, s_memory, 372, 375);

        var problem = Assert.Throws<PerfEventException>(() => plan.Within(new OpenFiles(20_000, Used: 168), threads: 10_000, cpus: 2));

        Assert.Equal(
            "no cpu-clock: it needs 20000 open files (10000 threads on 2 processors), and 19800 of 20000 are left: raise 'ulimit -n'",
            problem.Message
        );
    }
}
