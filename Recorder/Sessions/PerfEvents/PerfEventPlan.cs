using System.Numerics;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>
/// The perf events of a recording, planned from the permissions of the process. It is data, so that it can be printed and tested without
/// opening anything.
/// </summary>
/// <param name="Scope">The threads to record.</param>
/// <param name="SampleRateHz">CPU samples per second of CPU time.</param>
/// <param name="RingBytes">Preferred ring size per CPU, a power of two; halved until the system accepts it.</param>
/// <param name="Events">Events, opened for every CPU; the first one provides the records of names, mappings, threads and switches.</param>
/// <param name="Notes">What cannot be recorded and why, a sentence each.</param>
public sealed record PerfEventPlan(
    PerfEventScope Scope,
    int SampleRateHz,
    int RingBytes,
    IReadOnlyList<PlannedPerfEvent> Events,
    IReadOnlyList<string> Notes
) : KernelPlan(SampleRateHz, Events, Notes)
{
    /// <summary>Default samples per second.</summary>
    public const int DefaultSampleRateHz = 1000;

    /// <summary>Name of the session in a recording. Its file is <c>perf.data</c>.</summary>
    public const string SessionName = "perf";

    /// <summary>
    /// Default ring of a CPU. It holds 0.7 s of 1,000 threads that switch 25,000 times a second with stacks, or 400,000 switches without.
    /// </summary>
    public const int DefaultRingBytes = 16 << 20;

    /// <summary>Maximum ring that can be requested.</summary>
    public const int MaxRingBytes = 512 << 20;

    /// <summary>Maximum of all default rings together, so that a machine with many processors keeps its memory.</summary>
    private const long DefaultRingsBytes = 256L << 20;

    /// <summary>
    /// Default bytes of user stack in a sample. 64 bytes contain all direct callers that leaf functions of the suite hide. The caller of an
    /// allocation that clears new memory needs 1,408 bytes (.NET 10.0.12): with 256, a loop of Activator.CreateInstance lost a fifth of its
    /// samples to the runtime's helpers, with 1,536 one in a hundred.
    /// </summary>
    public const int DefaultStackDumpBytes = 1536;

    /// <summary>
    /// Default bytes for a user's program. The C library's send and recv use the frame pointer's register for other values, so only the
    /// copied stack leads to their callers, and async methods have deep stacks. With 1,536 bytes 29 % of the samples of an attached ASP.NET
    /// Core service had broken stacks, with 4,096 bytes 0.5 % (docs/internals/analysis.md).
    /// </summary>
    public const int ProgramStackDumpBytes = 4096;

    /// <summary>
    /// Default bytes for Mono. The mono program uses the frame pointer as a general register, so frame-pointer chains break in it, and
    /// every reflection call passes through it: with 1,536 bytes three fifths of the suite's samples lost their serializer, with 16,384 one
    /// in ten (DataContractJsonSerializer's deep stacks).
    /// </summary>
    public const int MonoStackDumpBytes = 16 << 10;

    /// <summary>
    /// Default bytes of user stack at a context switch of a user's program. Threads wait in functions of the C library, which keep no frame
    /// pointers. With 1,024 bytes no managed frame of a lock wait was reached; with 4,096 busy rings lost records
    /// (docs/internals/recording.md).
    /// </summary>
    public const int DefaultSwitchStackBytes = 2048;

    /// <summary>Maximum bytes of stack, because a record of the kernel has at most 64 KiB.</summary>
    public const int MaxStackDumpBytes = 32 << 10;

    /// <summary>The kernel's default of perf_event_max_sample_rate. Higher rates cost more than they show.</summary>
    private const int MaxSampleRateHz = 100_000;

    /// <inheritdoc />
    public override CpuSampler Sampler => Events[0].TakesSamples ? CpuSampler.Perf : CpuSampler.None;

    /// <summary>Whether context switches have stacks.</summary>
    public bool HasSwitchStacks => SwitchStackEvent >= 0;

    /// <summary>
    /// Index of the event with the stacks of context switches, the tracepoint or the software event; -1 for none. It is never the first
    /// event, which takes CPU samples.
    /// </summary>
    internal int SwitchStackEvent => Events.ToList().FindIndex(1, item => (item.Settings.SampleFields & PerfSampleFields.CallChain) != 0);

    /// <inheritdoc />
    public override bool IsSystemWide => Scope == PerfEventScope.SystemWide;

    /// <summary>Creates the plan for this process on this machine.</summary>
    /// <param name="scope">The threads to record.</param>
    /// <param name="sampleRateHz">CPU samples per second of CPU time, 1 to 100,000.</param>
    /// <param name="samples">Whether to take CPU samples; without them, an event that never occurs provides the other records.</param>
    /// <param name="stackDumpBytes">
    /// Bytes of user stack in a sample with registers, a multiple of 8; 0 for none. Also none on architectures with unknown registers.
    /// </param>
    /// <param name="switchStackBytes">
    /// Bytes of user stack at each context switch, a multiple of 8; 0 for only the call chain of sched_switch, null for no stacks.
    /// </param>
    /// <param name="ringBytes">Ring of a CPU; 0 for the default.</param>
    /// <exception cref="PerfEventException">Nothing can be recorded.</exception>
    public static PerfEventPlan Create(
        PerfEventScope scope,
        int sampleRateHz = DefaultSampleRateHz,
        bool samples = true,
        int stackDumpBytes = DefaultStackDumpBytes,
        int? switchStackBytes = 0,
        int ringBytes = 0
    ) =>
        Create(
                scope,
                sampleRateHz,
                PerfEventPermissions.Read(),
                LockedMemory.Read(),
                TraceFileSystem.FindId("sched", "sched_switch"),
                TraceFileSystem.FindId("sched", "sched_waking"),
                samples,
                DumpRegisters(RuntimeInformation.ProcessArchitecture),
                stackDumpBytes,
                switchStackBytes,
                ringBytes
            )
            .Within(OpenFiles.Read(), threads: 1, OnlineCpus.Read().Count); // the threads of a running process are counted when it starts

    /// <summary>Leaves out events for which too few files may be opened; earlier events of the plan get theirs first.</summary>
    /// <param name="files">Files that may be opened.</param>
    /// <param name="threads">Threads to record.</param>
    /// <param name="cpus">Number of online processors.</param>
    /// <returns>The plan of the remaining events, with a note for each one that was left out.</returns>
    /// <exception cref="PerfEventException">Not even the first event can be opened.</exception>
    internal PerfEventPlan Within(OpenFiles files, int threads, int cpus)
    {
        var free = files.Free;
        var (kept, notes) = (new List<PlannedPerfEvent>(), new List<string>(Notes));
        foreach (var item in Events)
        {
            var needed = (long)cpus * (item.AllThreads ? 1 : threads);
            if (needed <= free)
            {
                free -= needed;
                kept.Add(item);
                continue;
            }

            var reason =
                $"no {item.Name}: it needs {needed} open files ({(item.AllThreads ? "" : Plural.Of(threads, "thread") + " on ")}{Plural.Of(cpus, "processor")}), and {free} of {files.Limit} are left";
            const string Fix = "raise 'ulimit -n'";
            if (kept.Count == 0)
                throw new PerfEventException(reason, Fix, PerfNative.TooManyOpenFiles);
            notes.Add($"{reason}; {Fix}");
        }

        return kept.Count == Events.Count ? this : this with { Events = kept, Notes = notes };
    }

    /// <summary>
    /// Mask of the registers that a stack dump needs; 0 for unsupported architectures. The mask for arm64 was tried on emulated arm64 only.
    /// </summary>
    internal static ulong DumpRegisters(Architecture architecture) =>
        architecture switch
        {
            Architecture.X64 => UserRegisterSet.X64,
            Architecture.Arm64 => UserRegisterSet.Arm64,
            _ => 0,
        };

    /// <summary>Creates the plan for given permissions and limits.</summary>
    /// <param name="scope">The threads to record.</param>
    /// <param name="sampleRateHz">CPU samples per second of CPU time.</param>
    /// <param name="permissions">Permissions of the process.</param>
    /// <param name="memory">Memory that the process may lock.</param>
    /// <param name="schedSwitch">Id of sched:sched_switch in tracefs; null when unreadable.</param>
    /// <param name="schedWaking">Id of sched:sched_waking in tracefs; null when unreadable.</param>
    /// <param name="samples">Whether to take CPU samples.</param>
    /// <param name="dumpRegisters">Mask of the registers in a sample; 0 to omit registers and stack.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample; 0 to omit registers and stack.</param>
    /// <param name="switchStackBytes">
    /// Bytes of user stack at each context switch; 0 for only the call chain of sched_switch, null for no stacks.
    /// </param>
    /// <param name="ringBytes">Ring of a CPU; 0 for the default.</param>
    /// <exception cref="PerfEventException">Nothing can be recorded.</exception>
    internal static PerfEventPlan Create(
        PerfEventScope scope,
        int sampleRateHz,
        PerfEventPermissions permissions,
        LockedMemory memory,
        int? schedSwitch,
        int? schedWaking,
        bool samples = true,
        ulong dumpRegisters = 0,
        int stackDumpBytes = DefaultStackDumpBytes,
        int? switchStackBytes = 0,
        int ringBytes = 0
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sampleRateHz, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sampleRateHz, MaxSampleRateHz);
        ArgumentOutOfRangeException.ThrowIfNotEqual(stackDumpBytes & ~7, stackDumpBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)stackDumpBytes, (uint)MaxStackDumpBytes, nameof(stackDumpBytes));
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)ringBytes, (uint)MaxRingBytes, nameof(ringBytes));
        var switchDumpBytes = switchStackBytes ?? 0;
        ArgumentOutOfRangeException.ThrowIfNotEqual(switchDumpBytes & ~7, switchDumpBytes, nameof(switchStackBytes));
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)switchDumpBytes, (uint)MaxStackDumpBytes, nameof(switchStackBytes));
        if (!permissions.OwnProcesses)
            throw new PerfEventException("perf events are not permitted", permissions.Fix, PerfNative.AccessDenied);
        if (scope == PerfEventScope.SystemWide && !permissions.SystemWide)
            throw new PerfEventException(
                "recording all processes is not permitted",
                "run as root or with CAP_PERFMON, or record one command",
                PerfNative.AccessDenied
            );

        var kernel = permissions.Kernel;
        var notes = new List<string>();
        var events = new List<PlannedPerfEvent>
        {
            PlannedPerfEvent.First(scope, samples ? sampleRateHz : 0, kernel, dumpRegisters, stackDumpBytes),
        };
        if (!kernel && samples)
            notes.Add("only user-mode samples, no kernel frames: these need root, CAP_PERFMON or kernel.perf_event_paranoid=1");
        if (!permissions.Tracepoints)
        {
            notes.Add(
                "no sched_switch and sched_waking tracepoints: they need root or CAP_PERFMON; a wait then ends when its thread is switched in"
            );
        }
        else if (schedSwitch is null || schedWaking is null)
        {
            notes.Add(
                "no sched_switch and sched_waking tracepoints: tracefs cannot be read; as root, 'mount -t tracefs nodev /sys/kernel/tracing'"
            );
        }
        else
        {
            events.Add(PlannedPerfEvent.SchedSwitch(scope, schedSwitch.Value, dumpRegisters, switchStackBytes));
            events.Add(PlannedPerfEvent.SchedWaking(schedWaking.Value));
        }

        // If sched_switch is recorded, it has the stacks.
        if (switchDumpBytes > 0 && dumpRegisters != 0 && events.Count == 1)
        {
            if (kernel)
                events.Add(PlannedPerfEvent.SwitchStacks(scope, dumpRegisters, switchDumpBytes));
            else
                notes.Add(
                    "no stacks of context switches: they need root, CAP_PERFMON or kernel.perf_event_paranoid=1; only the runtime's events then show what threads wait for"
                );
        }

        var ring = RingFor(permissions, memory, ringBytes);
        if (ring < ringBytes)
            notes.Add(
                $"no rings of {ByteSize.Format(ringBytes)}: an ordinary user may lock {ByteSize.Format(ring)} per CPU; raise 'ulimit -l' or kernel.perf_event_mlock_kb"
            );
        return new PerfEventPlan(scope, sampleRateHz, ring, events, notes);
    }

    /// <summary>Size of a ring: the requested or the default one, if the process may lock so much memory; else what it may lock.</summary>
    /// <param name="permissions">The permissions.</param>
    /// <param name="memory">Memory that may be locked.</param>
    /// <param name="requested">Requested size, rounded up to a power of two; 0 for the default.</param>
    internal static int RingFor(PerfEventPermissions permissions, LockedMemory memory, int requested = 0)
    {
        var wanted =
            requested > 0
                ? Math.Max(requested, Environment.SystemPageSize)
                : (int)Math.Min(DefaultRingBytes, DefaultRingsBytes / memory.Cpus);
        var ring = requested > 0 ? (int)BitOperations.RoundUpToPowerOf2((uint)wanted) : 1 << BitOperations.Log2((uint)wanted);
        return permissions.LockExempt || permissions.Paranoid <= -1 ? ring : memory.RingBytes(ring);
    }
}
