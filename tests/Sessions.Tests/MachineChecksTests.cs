using EtwSerializerProfiler.Sessions.Doctor;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class MachineChecksTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-test-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task This_machine_can_record_runtime_events()
    {
        var checks = await MachineChecks.RunAsync(_root);

        Assert.Equal(Verdict.Yes, checks.Single(check => check.Subject.StartsWith("runtime events", StringComparison.Ordinal)).Verdict);
        Assert.All(checks, check => Assert.NotEmpty(check.Finding));
    }

    [Theory]
    [InlineData("10.0.12", Verdict.Yes, "sampled allocations")]
    [InlineData("9.0.20", Verdict.Partly, "allocation ticks")]
    [InlineData("8.0.31", Verdict.Partly, "no marker waits")]
    [InlineData("11.0.0-preview.1", Verdict.Yes, "11.0.0")]
    public void The_newest_runtime_decides_what_can_be_recorded(string version, Verdict verdict, string said)
    {
        Directory.CreateDirectory(Path.Combine(_root, version));
        Directory.CreateDirectory(Path.Combine(_root, "6.0.1"));

        var check = MachineChecks.Runtimes(_root);

        Assert.Equal(verdict, check.Verdict);
        Assert.Contains(said, check.Finding + check.Fix, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_folder_of_runtimes_is_a_finding_not_an_error() =>
        Assert.Equal(Verdict.Partly, MachineChecks.Runtimes(Path.Combine(_root, "none")).Verdict);

    [Theory]
    [InlineData(2, true, Verdict.Yes, "kernel frames", "")]
    [InlineData(2, false, Verdict.Partly, "user mode only", "perf_event_paranoid=1")]
    [InlineData(3, false, Verdict.Partly, "managed frames at safe points", "perf_event_paranoid=2")]
    [InlineData(null, false, Verdict.Partly, "EventPipe's sample profiler instead", "--cap-add PERFMON")]
    public void Doctor_says_what_can_sample_and_how_to_allow_it(int? paranoid, bool privileged, Verdict verdict, string finding, string fix)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "perf events exist on Linux only");

        var check = MachineChecks.CpuSampling(
            new PerfEventPermissions(paranoid, privileged, privileged),
            refusal: null,
            ptraceRefusal: "kernel.yama.ptrace_scope is 3"
        );

        Assert.Equal(verdict, check.Verdict);
        Assert.Contains(finding, check.Finding, StringComparison.Ordinal);
        Assert.Contains(fix, check.Fix, StringComparison.Ordinal);
    }

    /// <summary>Linux's rights, rings and priorities mean nothing elsewhere.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Elsewhere_doctor_names_the_sampler_that_needs_no_right_and_nothing_of_Linux(bool isWindows)
    {
        var checks = ChecksElsewhere.Of(isWindows);
        var samples = checks.Single(check => check.Subject == MachineChecks.CpuSamples);

        Assert.Equal(Verdict.Partly, samples.Verdict);
        Assert.Contains("EventPipe's sample profiler, weighted by the threads' CPU clocks", samples.Finding, StringComparison.Ordinal);
        Assert.Equal(isWindows ? 3 : 0, checks.Count(check => check.Fix.Contains("traceevent, elevated", StringComparison.Ordinal)));
        foreach (var word in (string[])["perf", "CAP_", "ptrace", isWindows ? "root" : "elevated"])
            Assert.DoesNotContain(checks, check => (check.Finding + check.Fix).Contains(word, StringComparison.Ordinal));
    }

    [Fact]
    public void Doctor_says_which_tools_of_Windows_are_missing_and_where_they_come_from()
    {
        var checks = EtwChecks
            .OnWindows(isElevated: false, program => program is "wpr" or "tracelog")
            .ToDictionary(check => check.Subject.Trim());

        Assert.Equal(Verdict.No, checks["ETW sessions (--sessions)"].Verdict);
        Assert.Contains("elevated", checks["ETW sessions (--sessions)"].Finding, StringComparison.Ordinal);
        Assert.NotEmpty(checks["ETW sessions (--sessions)"].Fix);
        Assert.Equal((Verdict.Yes, Verdict.Yes), (checks["traceevent"].Verdict, checks["wpr"].Verdict));
        Assert.Equal((Verdict.No, "xperf not found"), (checks["xperf"].Verdict, checks["xperf"].Finding));
        // Xperf merges what tracelog records.
        Assert.Equal((Verdict.No, "xperf not found"), (checks["tracelog"].Verdict, checks["tracelog"].Finding));
        Assert.Contains("Windows Performance Toolkit", checks["tracelog"].Fix, StringComparison.Ordinal);

        Assert.All(EtwChecks.OnWindows(isElevated: true, _ => true), check => Assert.Equal(Verdict.Yes, check.Verdict));
        Assert.Equal(OperatingSystem.IsWindows() ? 5 : 1, EtwChecks.Run().Count);
    }

    [Fact]
    public void What_the_kernel_really_refused_is_said_whatever_the_settings_permit()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "perf events exist on Linux only");

        var check = MachineChecks.CpuSampling(
            new PerfEventPermissions(2, true, true),
            new PerfEventException("event cpu-clock cannot be opened (EPERM)", "start the container with --cap-add PERFMON", 1),
            ptraceRefusal: null
        );

        Assert.Equal(Verdict.Partly, check.Verdict);
        Assert.Contains("EPERM", check.Finding, StringComparison.Ordinal);
        Assert.Contains("ptrace instead: CPU time of all threads of a launched program", check.Finding, StringComparison.Ordinal);
        Assert.Contains("--cap-add PERFMON", check.Fix, StringComparison.Ordinal);
    }

    [Fact]
    public void Kernel_events_that_a_container_refuses_are_not_promised()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "perf events exist on Linux only");

        var check = MachineChecks.KernelSession(
            new PerfEventException("event cpu-clock cannot be opened (EPERM)", "start the container with --cap-add PERFMON", 1)
        );

        Assert.Equal(
            (Verdict.No, "no context switches: event cpu-clock cannot be opened (EPERM)", "start the container with --cap-add PERFMON"),
            (check.Verdict, check.Finding, check.Fix)
        );
    }

    [Fact]
    public void Attaching_and_recording_all_processes_say_what_they_need()
    {
        var (user, root) = (new PerfEventPermissions(2, false, false), new PerfEventPermissions(2, true, true));

        Assert.Contains("run as root", MachineChecks.Attaching(user).Fix, StringComparison.Ordinal);
        Assert.Equal((Verdict.No, Verdict.Yes), (MachineChecks.AllProcesses(user).Verdict, MachineChecks.AllProcesses(root).Verdict));
        Assert.Contains("CAP_PERFMON", MachineChecks.AllProcesses(user).Fix, StringComparison.Ordinal);
    }

    [Fact]
    public void The_memory_for_kernel_events_says_what_buffer_can_take()
    {
        var memory = new LockedMemory(516 << 10, 8 << 20, Cpus: 2);

        var root = MachineChecks.LockedMemory(new PerfEventPermissions(2, true, true), memory);
        var user = MachineChecks.LockedMemory(new PerfEventPermissions(2, false, false), memory);

        Assert.Equal((Verdict.Yes, "ring of 16MB per CPU, --buffer up to 512MB"), (root.Verdict, root.Finding));
        Assert.Equal(
            (Verdict.Partly, "ring of 4MB per CPU, --buffer up to 4MB: records can be lost under load"),
            (user.Verdict, user.Finding)
        );
        Assert.Contains("ulimit -l 32768", user.Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Precedence.HighestPriority, Verdict.Yes, "by its priority", false)]
    [InlineData(Precedence.ShortSlices, Verdict.Yes, "no more than its share", true)]
    [InlineData(Precedence.None, Verdict.Partly, "kernel 6.1 has no short time slices", true)]
    public void What_a_saturated_machine_loses_is_said_before(Precedence precedence, Verdict verdict, string finding, bool hasFix)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "perf events exist on Linux only");

        var check = MachineChecks.UnderLoad(precedence, new Version(6, 1, 0));

        Assert.Equal((verdict, hasFix), (check.Verdict, check.Fix.Contains("--buffer", StringComparison.Ordinal)));
        Assert.Contains(finding, check.Finding, StringComparison.Ordinal);
    }

    [Fact]
    public void One_processor_is_said_to_be_few()
    {
        Assert.Equal(Verdict.Partly, MachineChecks.Processors(1).Verdict);
        Assert.Equal(Verdict.Yes, MachineChecks.Processors(2).Verdict);
    }
}
