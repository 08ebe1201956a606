namespace EtwSerializerProfiler.Traces.NetTrace.Universal;

/// <summary>
/// Events of a whole machine from record-trace (dotnet-trace collect-linux), of the providers Universal.System and Universal.Events; their
/// names are stable, their ids are not.
/// </summary>
/// <remarks>Source: UniversalProviders.md of microsoft/perfview.</remarks>
internal enum UniversalEventKind
{
    /// <summary>Another event.</summary>
    None,

    /// <summary>A process exists or was created; contains its name.</summary>
    Process,

    /// <summary>A process ended.</summary>
    ProcessExited,

    /// <summary>A process maps a file or memory.</summary>
    Mapping,

    /// <summary>Version and build id of a mapped file.</summary>
    MappingMetadata,

    /// <summary>Name of code.</summary>
    Symbol,

    /// <summary>A CPU sample.</summary>
    CpuSample,

    /// <summary>A context switch.</summary>
    ContextSwitch,

    /// <summary>A switch-out, in an export of esp-analyze.</summary>
    SwitchedOut,

    /// <summary>A ready event, in an export of esp-analyze.</summary>
    ThreadReadied,

    /// <summary>Another event of Universal.System: it describes the process and is not from its runtime.</summary>
    OtherDescription,
}

/// <summary>Recognizes these events.</summary>
internal static class UniversalEventKinds
{
    /// <summary>Provider of events about processes and their code.</summary>
    public const string SystemProvider = "Universal.System";

    /// <summary>Provider of samples and switches.</summary>
    public const string EventsProvider = "Universal.Events";

    /// <summary>Provider of additional scheduler events in esp-analyze's exports: reasons of switch-outs, and ready events.</summary>
    public const string SchedulingProvider = "EtwSerializerProfiler.Scheduling";

    /// <summary>A switch-out. Field: <see cref="Preempted"/>, <see cref="Ended"/>, or 0 for a waiting thread.</summary>
    public const string SwitchedOut = "SwitchedOut";

    /// <summary>Field of <see cref="SwitchedOut"/>: the thread was preempted.</summary>
    public const int Preempted = 1;

    /// <summary>Field of <see cref="SwitchedOut"/>: the thread ended.</summary>
    public const int Ended = 2;

    /// <summary>A thread readies another. Field: id of the readied thread.</summary>
    public const string ThreadReadied = "ThreadReadied";

    /// <summary>Name of the event for a process created during the recording; others existed before.</summary>
    public const string ProcessCreated = "ProcessCreate";

    /// <summary>Name of the event of a process that ended.</summary>
    public const string ProcessExited = "ProcessExit";

    /// <summary>The kind of an event.</summary>
    public static UniversalEventKind Of(string provider, string name) =>
        (provider, name) switch
        {
            (SystemProvider, "ExistingProcess" or ProcessCreated) => UniversalEventKind.Process,
            (SystemProvider, ProcessExited) => UniversalEventKind.ProcessExited,
            (SystemProvider, "ProcessMapping") => UniversalEventKind.Mapping,
            (SystemProvider, "ProcessMappingMetadata") => UniversalEventKind.MappingMetadata,
            (SystemProvider, "ProcessSymbol") => UniversalEventKind.Symbol,
            (SystemProvider, _) => UniversalEventKind.OtherDescription,
            (EventsProvider, "cpu") => UniversalEventKind.CpuSample,
            (EventsProvider, "cswitch") => UniversalEventKind.ContextSwitch,
            (SchedulingProvider, SwitchedOut) => UniversalEventKind.SwitchedOut,
            (SchedulingProvider, ThreadReadied) => UniversalEventKind.ThreadReadied,
            _ => UniversalEventKind.None,
        };
}
