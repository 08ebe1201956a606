using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>An event of a perf session as planned.</summary>
/// <param name="Name">Name as perf writes it: <c>cpu-clock:u</c>, <c>sched:sched_switch</c>.</param>
/// <param name="Settings">Settings for perf_event_open.</param>
/// <param name="AllThreads">Whether it is opened for every thread of the machine, regardless of the plan's scope.</param>
/// <param name="Purpose">Its purpose, one line.</param>
public sealed record PlannedPerfEvent(string Name, PerfEventSettings Settings, bool AllThreads, string Purpose)
{
    /// <summary>PERF_COUNT_SW_DUMMY: never occurs, but brings the records of switches, names, mappings and threads.</summary>
    internal const ulong Dummy = 9;

    /// <summary>Fields of every sample; also those after other records (PERF_SAMPLE_ID_ALL).</summary>
    internal const PerfSampleFields CommonFields =
        PerfSampleFields.Identifier
        | PerfSampleFields.Ip
        | PerfSampleFields.Tid
        | PerfSampleFields.Time
        | PerfSampleFields.Cpu
        | PerfSampleFields.Period;

    /// <summary>PERF_COUNT_SW_CPU_CLOCK.</summary>
    private const ulong CpuClock = 0;

    /// <summary>
    /// PERF_COUNT_SW_CONTEXT_SWITCHES: counted in the kernel for the outgoing thread; with exclude_kernel it never occurs.
    /// </summary>
    private const ulong ContextSwitches = 3;

    /// <summary>PERF_FORMAT_LOST (since kernel 6.0): read(2) returns the number of lost records.</summary>
    private const ulong FormatLost = 1 << 4;

    /// <summary>Whether it takes CPU samples.</summary>
    internal bool TakesSamples => Settings is { Kind: PerfEventKind.Software, Config: CpuClock };

    /// <summary>Whether it has the stack of the calling thread.</summary>
    internal bool HasCallChain => (Settings.SampleFields & PerfSampleFields.CallChain) != 0;

    /// <summary>The event that provides switches, names, mappings and threads: the sampling one, or one that never occurs.</summary>
    /// <param name="scope">The threads to record.</param>
    /// <param name="sampleRateHz">CPU samples per second of CPU time; 0 for none.</param>
    /// <param name="kernel">Whether samples in kernel mode are permitted.</param>
    /// <param name="dumpRegisters">Mask of the registers in a sample; 0 to omit registers and stack.</param>
    /// <param name="stackDumpBytes">Bytes of user stack in a sample; 0 to omit registers and stack.</param>
    internal static PlannedPerfEvent First(PerfEventScope scope, int sampleRateHz, bool kernel, ulong dumpRegisters, int stackDumpBytes)
    {
        var samples = sampleRateHz > 0;
        var settings = new PerfEventSettings
        {
            Kind = PerfEventKind.Software,
            Config = samples ? CpuClock : Dummy,
            SamplePeriod = samples ? (ulong)(1_000_000_000 / sampleRateHz) : 0,
            SampleFields = CommonFields | PerfSampleFields.CallChain,
            ReadFormat = FormatLost,
            Bits =
                CommonBits(scope)
                | PerfEventBits.ContextSwitch
                | PerfEventBits.Comm
                | PerfEventBits.CommExec
                | PerfEventBits.Mmap
                | PerfEventBits.Mmap2
                | PerfEventBits.BuildId
                | PerfEventBits.Task
                | PerfEventBits.ExcludeHypervisor
                | (kernel ? PerfEventBits.None : PerfEventBits.ExcludeKernel | PerfEventBits.ExcludeCallChainKernel),
            ClockId = PerfEventSettings.ClockMonotonic,
        };
        const string Others = "context switches; names, mappings, threads";
        var mode = kernel ? "user and kernel" : "user mode only";
        return new PlannedPerfEvent(
            (samples ? "cpu-clock" : "dummy") + (kernel ? "" : ":u"),
            samples ? WithDump(settings, dumpRegisters, stackDumpBytes) : settings,
            scope == PerfEventScope.SystemWide,
            samples ? $"CPU samples with call chains{Dump(dumpRegisters, stackDumpBytes)}, {mode}; {Others}" : Others
        );
    }

    /// <summary>The event that takes the stack of each outgoing thread, immediately before the record of the switch.</summary>
    /// <param name="scope">The threads to record.</param>
    /// <param name="dumpRegisters">Mask of the registers in a sample.</param>
    /// <param name="stackBytes">Bytes of user stack.</param>
    internal static PlannedPerfEvent SwitchStacks(PerfEventScope scope, ulong dumpRegisters, int stackBytes) =>
        new(
            "context-switches",
            WithDump(
                new PerfEventSettings
                {
                    Kind = PerfEventKind.Software,
                    Config = ContextSwitches,
                    SamplePeriod = 1,
                    SampleFields = CommonFields | PerfSampleFields.CallChain,
                    ReadFormat = FormatLost,
                    Bits = CommonBits(scope) | PerfEventBits.ExcludeHypervisor,
                    ClockId = PerfEventSettings.ClockMonotonic,
                },
                dumpRegisters,
                stackBytes
            ),
            scope == PerfEventScope.SystemWide,
            $"where threads wait: call chain{Dump(dumpRegisters, stackBytes)} at each context switch"
        );

    /// <summary>The tracepoint at each switch, with the state of the outgoing thread and, unless unwanted, its stack.</summary>
    /// <param name="scope">The threads to record.</param>
    /// <param name="id">Its id in tracefs.</param>
    /// <param name="dumpRegisters">Mask of the registers in a sample; 0 to omit registers and stack.</param>
    /// <param name="stackBytes">Bytes of user stack; 0 for only the call chain, null for no stack.</param>
    internal static PlannedPerfEvent SchedSwitch(PerfEventScope scope, int id, ulong dumpRegisters, int? stackBytes)
    {
        var settings = Tracepoint(id, stackBytes is null ? PerfSampleFields.None : PerfSampleFields.CallChain, CommonBits(scope));
        return new PlannedPerfEvent(
            "sched:sched_switch",
            WithDump(settings, dumpRegisters, stackBytes ?? 0),
            scope == PerfEventScope.SystemWide,
            stackBytes is { } bytes
                ? $"where threads wait: call chain{Dump(dumpRegisters, bytes)} at the switch, and the thread's state after it"
                : "state of a thread after its switch"
        );
    }

    /// <summary>
    /// The tracepoint at the moment when a thread becomes ready. Of all threads, because the kernel counts it for the thread that readies
    /// another one: mostly the idle task or another program, in a timer interrupt.
    /// </summary>
    /// <param name="id">Its id in tracefs.</param>
    internal static PlannedPerfEvent SchedWaking(int id) =>
        new(
            "sched:sched_waking",
            Tracepoint(id, PerfSampleFields.None, CommonBits(PerfEventScope.SystemWide) & ~PerfEventBits.Disabled),
            AllThreads: true,
            "when a waiting thread becomes ready, and by whom (all threads of the machine)"
        );

    private static PerfEventSettings Tracepoint(int id, PerfSampleFields more, PerfEventBits bits) =>
        new()
        {
            Kind = PerfEventKind.Tracepoint,
            Config = (ulong)id,

            // Samples every occurrence. One frequency for all events of a session would also sample tracepoints and lose half of them.
            SamplePeriod = 1,
            SampleFields = CommonFields | PerfSampleFields.Raw | more,
            ReadFormat = FormatLost,
            Bits = bits,
            ClockId = PerfEventSettings.ClockMonotonic,
        };

    private static string Dump(ulong registers, int bytes) => HasDump(registers, bytes) ? $" and {bytes} bytes of stack" : "";

    private static PerfEventSettings WithDump(PerfEventSettings settings, ulong registers, int bytes) =>
        HasDump(registers, bytes)
            ? settings with
            {
                SampleFields = settings.SampleFields | PerfSampleFields.RegistersUser | PerfSampleFields.StackUser,
                RegistersUser = registers,
                StackUserBytes = (uint)bytes,
            }
            : settings;

    private static bool HasDump(ulong registers, int bytes) => registers != 0 && bytes > 0;

    private static PerfEventBits CommonBits(PerfEventScope scope) =>
        PerfEventBits.Disabled
        | PerfEventBits.SampleIdAll
        | PerfEventBits.UseClockId
        | PerfEventBits.Watermark
        | (scope == PerfEventScope.SystemWide ? PerfEventBits.None : PerfEventBits.Inherit)
        | (scope == PerfEventScope.Launch ? PerfEventBits.EnableOnExec : PerfEventBits.None);
}
