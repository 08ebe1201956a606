using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>Finds out what this machine can record.</summary>
public static class MachineChecks
{
    /// <summary>Less free space than this puts a recording at risk: a default recording takes about 10 MB, a long one hundreds.</summary>
    private const long LittleDiskBytes = 1L << 30;

    internal const string KernelEvents = "kernel events (CPU, context switches)";

    internal const string CpuSamples = "CPU samples";

    internal const string Attach = "attach PID";

    internal const string SystemWide = "--system-wide";

    /// <summary>Runs all checks.</summary>
    /// <param name="recordingsFolder">Folder recordings go to; it need not exist.</param>
    public static async Task<IReadOnlyList<MachineCheck>> RunAsync(string recordingsFolder)
    {
        return
        [
            await DiagnosticPortAsync().ConfigureAwait(false),
            Runtimes(Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), ".."))),
            .. OperatingSystem.IsLinux() ? OnLinux() : ChecksElsewhere.Of(OperatingSystem.IsWindows()),
            .. EtwChecks.Run(),
            Processors(Environment.ProcessorCount),
            Disk(recordingsFolder),
        ];
    }

    private static IReadOnlyList<MachineCheck> OnLinux()
    {
        var (refusal, permissions) = (PerfEventSession.Probe(), PerfEventPermissions.Read());
        return
        [
            KernelSession(refusal),
            CpuSampling(permissions, refusal, PtraceSupport.Refusal()?.Reason),
            LockedMemory(permissions, PerfEvents.LockedMemory.Read()),
            UnderLoad(ThreadScheduling.Probe(), Environment.OSVersion.Version),
            Attaching(permissions),
            AllProcesses(permissions),
        ];
    }

    /// <summary>What the runtimes in a folder (…/shared/Microsoft.NETCore.App) can record.</summary>
    public static MachineCheck Runtimes(string sharedFolder)
    {
        List<Version> versions =
        [
            .. (Directory.Exists(sharedFolder) ? Directory.EnumerateDirectories(sharedFolder) : [])
                .Select(folder => Version.TryParse(Path.GetFileName(folder).Split('-')[0], out var version) ? version : null)
                .OfType<Version>()
                .Order(),
        ];
        if (versions.Count == 0)
            return new MachineCheck(
                "installed .NET",
                Verdict.Partly,
                $"no shared runtime in {sharedFolder}; self-contained programs can be recorded"
            );

        var found = string.Join(", ", versions);
        return versions[^1].Major switch
        {
            >= 10 => new MachineCheck(
                "installed .NET",
                Verdict.Yes,
                $"{found}: GC, JIT, exceptions, locks, marker waits, sampled allocations"
            ),
            9 => new MachineCheck(
                "installed .NET",
                Verdict.Partly,
                $"{found}: no sampled allocations (.NET 10); allocation ticks instead",
                "install the .NET 10 runtime"
            ),
            _ => new MachineCheck(
                "installed .NET",
                Verdict.Partly,
                $"{found}: no marker waits (.NET 9), no sampled allocations (.NET 10); runs are delimited by their marks",
                "install the .NET 10 runtime"
            ),
        };
    }

    /// <summary>Whether there are enough processors: the marker, the recorder and the program run at the same time.</summary>
    public static MachineCheck Processors(int count) =>
        count > 1
            ? new MachineCheck("processors", Verdict.Yes, count.ToString(CultureInfo.InvariantCulture))
            : new MachineCheck(
                "processors",
                Verdict.Partly,
                "1: the recorder takes time from the program it records",
                "use a machine with two or more processors"
            );

    private static async Task<MachineCheck> DiagnosticPortAsync()
    {
        const string Subject = "runtime events (EventPipe)";
        foreach (var variable in (string[])["DOTNET_EnableDiagnostics", "DOTNET_EnableDiagnostics_IPC", "COMPlus_EnableDiagnostics"])
        {
            if (Environment.GetEnvironmentVariable(variable) == "0")
            {
                var unset = OperatingSystem.IsWindows() ? $"set {variable}=" : $"unset {variable}";
                return new MachineCheck(Subject, Verdict.No, $"{variable}=0 switches the diagnostic port off", unset);
            }
        }

        try
        {
            var port = ReversedDiagnosticPort.Open();
            await port.DisposeAsync().ConfigureAwait(false);
            return new MachineCheck(Subject, Verdict.Yes, "diagnostic port can be opened");
        }
        catch (IOException exception)
        {
            return new MachineCheck(Subject, Verdict.No, exception.Message, OperatingSystem.IsWindows() ? "" : "export TMPDIR=/tmp");
        }
    }

    /// <summary>What perf events record.</summary>
    /// <param name="refusal">The kernel's answer when an event was actually opened; null when it was opened.</param>
    internal static MachineCheck KernelSession(PerfEventException? refusal)
    {
        if (refusal is not null)
            return new MachineCheck(KernelEvents, Verdict.No, $"no context switches: {refusal.Problem.What}", refusal.Fix);
        try
        {
            var plan = PerfEventPlan.Create(PerfEventScope.Launch);
            var events = string.Join(", ", plan.Events.Select(item => item.Name));
            return plan.Notes.Count == 0
                ? new MachineCheck(KernelEvents, Verdict.Yes, events)
                : new MachineCheck(
                    KernelEvents,
                    Verdict.Partly,
                    $"{events}; {string.Join("; ", plan.Notes)}",
                    "sudo esp-record (or as root: sysctl kernel.perf_event_paranoid=-1)"
                );
        }
        catch (PerfEventException exception)
        {
            return new MachineCheck(KernelEvents, Verdict.No, exception.Message, exception.Fix);
        }
    }

    /// <summary>Which CPU sampler is possible, and why perf events are not.</summary>
    /// <param name="permissions">What the kernel's settings and the process's capabilities permit.</param>
    /// <param name="refusal">
    /// The kernel's answer when an event was actually opened, which is the only sign of a container's seccomp profile. Null when it was
    /// opened.
    /// </param>
    /// <param name="ptraceRefusal">Why ptrace cannot sample either; null when it can.</param>
    internal static MachineCheck CpuSampling(PerfEventPermissions permissions, PerfEventException? refusal, string? ptraceRefusal)
    {
        if (!permissions.OwnProcesses || refusal is not null)
        {
            var why = refusal?.Problem.What ?? permissions.Fix;
            var fix = permissions.OwnProcesses ? refusal!.Fix : permissions.Fix;
            var (ptrace, eventPipe) = (Step(CpuSampler.Ptrace), Step(CpuSampler.EventPipe));
            var instead = ptraceRefusal is null
                ? $"ptrace instead: {ptrace.Gives}; + {ptrace.Costs}. attach: EventPipe's sample profiler"
                : $"no ptrace ({ptraceRefusal}); EventPipe's sample profiler instead: {eventPipe.Gives}";
            instead += $"; + {eventPipe.Costs}";
            return new MachineCheck(CpuSamples, Verdict.Partly, $"no perf events ({why}); {instead}", fix);
        }

        return permissions.Kernel
            ? new MachineCheck(CpuSamples, Verdict.Yes, "perf events, user and kernel frames, context switches")
            : new MachineCheck(
                CpuSamples,
                Verdict.Partly,
                $"perf events, user mode only (kernel.perf_event_paranoid is {permissions.Paranoid})",
                "sudo sysctl kernel.perf_event_paranoid=1 (until the next boot), or run as root or with CAP_PERFMON"
            );

        static SamplerLadder.Step Step(CpuSampler sampler) => SamplerLadder.Steps.Single(step => step.Sampler == sampler);
    }

    /// <summary>Whose processes this user may attach to.</summary>
    internal static MachineCheck Attaching(PerfEventPermissions permissions) =>
        permissions.Privileged
            ? new MachineCheck(
                Attach,
                Verdict.Yes,
                "processes of every user; runtime events need their diagnostic port (DOTNET_EnableDiagnostics not 0, the same TMPDIR)"
            )
            : new MachineCheck(
                Attach,
                Verdict.Partly,
                "own processes only; runtime events need their diagnostic port (DOTNET_EnableDiagnostics not 0, the same TMPDIR)",
                "run as root to attach to processes of other users"
            );

    /// <summary>Whether all processes can be recorded.</summary>
    internal static MachineCheck AllProcesses(PerfEventPermissions permissions) =>
        permissions.SystemWide
            ? new MachineCheck(
                SystemWide,
                Verdict.Yes,
                permissions.Privileged ? "root or CAP_PERFMON" : $"kernel.perf_event_paranoid is {permissions.Paranoid}"
            )
            : new MachineCheck(
                SystemWide,
                Verdict.No,
                "kernel events of all processes need root or CAP_PERFMON",
                "run as root, or give the process CAP_PERFMON (docker run --cap-add PERFMON)"
            );

    /// <summary>Sizes of rings: the default and the largest one for <c>--buffer</c>.</summary>
    internal static MachineCheck LockedMemory(PerfEventPermissions permissions, LockedMemory memory)
    {
        const string Subject = "memory for kernel events";
        var (ring, largest) = (
            PerfEventPlan.RingFor(permissions, memory),
            PerfEventPlan.RingFor(permissions, memory, PerfEventPlan.MaxRingBytes)
        );
        var text = $"ring of {ByteSize.Format(ring)} per CPU, --buffer up to {ByteSize.Format(largest)}";
        return largest >= PerfEventPlan.DefaultRingBytes
            ? new MachineCheck(Subject, Verdict.Yes, text)
            : new MachineCheck(
                Subject,
                Verdict.Partly,
                $"{text}: records can be lost under load",
                $"ulimit -l {(long)PerfEventPlan.DefaultRingBytes * memory.Cpus >> 10}, or sudo sysctl kernel.perf_event_mlock_kb={(PerfEventPlan.DefaultRingBytes >> 10) + 4}"
            );
    }

    /// <summary>Whether kernel events survive a machine on which more threads want to run than it has processors.</summary>
    /// <param name="precedence">What the thread that drains the rings gets.</param>
    /// <param name="kernel">Version of the kernel.</param>
    internal static MachineCheck UnderLoad(Precedence precedence, Version kernel)
    {
        const string Subject = "recording a saturated machine";
        const string Fix = "run as root or with CAP_SYS_NICE, or record with a larger --buffer";
        return precedence switch
        {
            Precedence.HighestPriority => new MachineCheck(Subject, Verdict.Yes, "the recorder's thread takes precedence by its priority"),
            Precedence.ShortSlices => new MachineCheck(
                Subject,
                Verdict.Yes,
                "the recorder's thread runs early by short time slices, but gets no more than its share: with stacks of context switches, records can be lost",
                Fix
            ),
            _ => new MachineCheck(
                Subject,
                Verdict.Partly,
                $"the recorder's thread waits until the program's threads have had their turns, and kernel {kernel.ToString(2)} has no short time slices (6.12): records can be lost",
                Fix
            ),
        };
    }

    private static MachineCheck Disk(string folder)
    {
        const string Subject = "disk";
        var existing = Path.GetFullPath(folder);
        while (!Directory.Exists(existing) && Path.GetDirectoryName(existing) is { } parent)
            existing = parent;
        try
        {
            var free = new DriveInfo(existing).AvailableFreeSpace;
            var text = string.Create(CultureInfo.InvariantCulture, $"{free / (double)(1L << 30):F1} GiB free for {folder}");
            return free >= LittleDiskBytes
                ? new MachineCheck(Subject, Verdict.Yes, text)
                : new MachineCheck(Subject, Verdict.Partly, text, "record to another disk with --out DIR");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return new MachineCheck(Subject, Verdict.Partly, $"the free space of {existing} is unknown: {exception.Message}");
        }
    }
}
