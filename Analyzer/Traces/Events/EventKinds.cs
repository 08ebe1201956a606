namespace EtwSerializerProfiler.Traces.Events;

/// <summary>Kinds of events: what a source can give, and what subscribers want. Each event type names its kind; <see cref="EventOrigins"/> names what brings it.</summary>
[Flags]
public enum EventKinds
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>RunStart, RunStop, RunClockStopped and MarkerWaiting of the run marks.</summary>
    RunMarks = 1 << 0,

    /// <summary>Begin and end of waits (WaitHandle events, .NET 9 and later).</summary>
    Waits = 1 << 1,

    /// <summary>GCs and runtime suspensions.</summary>
    Gc = 1 << 2,

    /// <summary>Exceptions thrown.</summary>
    Exceptions = 1 << 3,

    /// <summary>Lock contention.</summary>
    Contention = 1 << 4,

    /// <summary>Begin of a method's compilation and its code being ready.</summary>
    Jit = 1 << 5,

    /// <summary>Allocation ticks: one event for about every 100 KB allocated.</summary>
    AllocationTicks = 1 << 6,

    /// <summary>Sampled allocations (.NET 10 and later).</summary>
    AllocationSamples = 1 << 7,

    /// <summary>Context switches: threads coming to a processor and leaving it.</summary>
    ContextSwitches = 1 << 8,

    /// <summary>Threads being made ready.</summary>
    ReadyThreads = 1 << 9,

    /// <summary>CPU samples.</summary>
    CpuSamples = 1 << 10,

    /// <summary>Addresses and names of methods, and the modules they belong to.</summary>
    MethodCode = 1 << 11,

    /// <summary>Files mapped as code, programs begun, threads created and named.</summary>
    ProcessLayout = 1 << 12,

    /// <summary>Where threads were when they left their processors.</summary>
    SwitchOutStacks = 1 << 13,

    /// <summary>Stacks with which threads come back to a processor: where they waited.</summary>
    SwitchInStacks = 1 << 14,

    /// <summary>CPU samples of all other processes of the machine: time and thread, no stacks.</summary>
    OtherProcesses = 1 << 15,

    /// <summary>Assemblies and their modules being loaded.</summary>
    AssemblyLoads = 1 << 16,

    /// <summary>What the runtime looked for to load an assembly, and whether it was found (.NET 5 and later).</summary>
    AssemblyBinds = 1 << 17,

    /// <summary>Begin and end of type loads (.NET 5 and later).</summary>
    TypeLoads = 1 << 18,

    /// <summary>Precompiled methods whose code was looked for (.NET Core 3 and later).</summary>
    PrecompiledMethods = 1 << 19,

    /// <summary>What tells what first calls are made of.</summary>
    Startup = AssemblyLoads | AssemblyBinds | TypeLoads | PrecompiledMethods,

    /// <summary>Threads' CPU clocks, read again and again: how long each ran and was ready. Where context switches cannot be recorded.</summary>
    ThreadClocks = 1 << 20,

    /// <summary>HTTP requests that were served or sent (<see cref="RequestProvider"/>).</summary>
    Requests = 1 << 21,

    /// <summary>Everything above.</summary>
    All = (Requests << 1) - 1,
}

/// <summary>What a source records with its events.</summary>
[Flags]
public enum EventDetails
{
    /// <summary>Nothing more.</summary>
    None = 0,

    /// <summary>Stacks of the runtime's events.</summary>
    Stacks = 1,

    /// <summary>CPU samples in kernel mode, too: none are missing.</summary>
    KernelSamples = 2,

    /// <summary>Everything above: what a process can have at its best.</summary>
    All = Stacks | KernelSamples,

    /// <summary>CPU samples of EventPipe's sample profiler: managed frames at safe points. Where no thread's clock was read (<see cref="EventKinds.ThreadClocks"/>), their sum is an estimate.</summary>
    ManagedSamples = 4,

    /// <summary>Named code is native or the kernel's: no methods were recorded. An export of such a trace names it by the same events.</summary>
    NativeNames = 8,
}
