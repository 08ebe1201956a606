namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// Kinds of events that sources provide and subscribers want. Each event type has a kind; <see cref="EventOrigins"/> has their origins.
/// </summary>
[Flags]
public enum EventKinds
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>RunStart, RunStop, RunClockStopped and MarkerWaiting of the run marks.</summary>
    RunMarks = 1 << 0,

    /// <summary>Start and end of waits (WaitHandle events, .NET 9 and later).</summary>
    Waits = 1 << 1,

    /// <summary>GCs and runtime suspensions.</summary>
    Gc = 1 << 2,

    /// <summary>Exceptions thrown.</summary>
    Exceptions = 1 << 3,

    /// <summary>Lock contention.</summary>
    Contention = 1 << 4,

    /// <summary>Start and end of a method's compilation.</summary>
    Jit = 1 << 5,

    /// <summary>Allocation ticks: one event per 100 KB or so.</summary>
    AllocationTicks = 1 << 6,

    /// <summary>Sampled allocations (.NET 10 and later).</summary>
    AllocationSamples = 1 << 7,

    /// <summary>Context switches: threads switched in and out.</summary>
    ContextSwitches = 1 << 8,

    /// <summary>Threads that became ready.</summary>
    ReadyThreads = 1 << 9,

    /// <summary>CPU samples.</summary>
    CpuSamples = 1 << 10,

    /// <summary>Addresses and names of methods, with their modules.</summary>
    MethodCode = 1 << 11,

    /// <summary>Files mapped as code, started programs, created and named threads.</summary>
    ProcessLayout = 1 << 12,

    /// <summary>Stacks of threads at their switch-outs.</summary>
    SwitchOutStacks = 1 << 13,

    /// <summary>Stacks of threads at their switch-ins, which show where they waited.</summary>
    SwitchInStacks = 1 << 14,

    /// <summary>CPU samples of all other processes of the machine: time and thread, without stacks.</summary>
    OtherProcesses = 1 << 15,

    /// <summary>Loads of assemblies and their modules.</summary>
    AssemblyLoads = 1 << 16,

    /// <summary>Assembly binds: the searches of the runtime and their results (.NET 5 and later).</summary>
    AssemblyBinds = 1 << 17,

    /// <summary>Start and end of type loads (.NET 5 and later).</summary>
    TypeLoads = 1 << 18,

    /// <summary>Look-ups of precompiled methods' code (.NET Core 3 and later).</summary>
    PrecompiledMethods = 1 << 19,

    /// <summary>Events that show the parts of first calls.</summary>
    Startup = AssemblyLoads | AssemblyBinds | TypeLoads | PrecompiledMethods,

    /// <summary>Readings of threads' CPU clocks: running and ready time. For systems where context switches cannot be recorded.</summary>
    ThreadClocks = 1 << 20,

    /// <summary>HTTP requests that were served or sent (<see cref="RequestProvider"/>).</summary>
    Requests = 1 << 21,

    /// <summary>Steps of async methods: awaits and continuations (<see cref="TaskProvider"/>).</summary>
    AsyncSteps = 1 << 22,

    /// <summary>Waits of the thread pool's workers for work.</summary>
    WorkerWaits = 1 << 23,

    /// <summary>All kinds.</summary>
    All = (WorkerWaits << 1) - 1,
}

/// <summary>Details that a source records with its events.</summary>
[Flags]
public enum EventDetails
{
    /// <summary>No details.</summary>
    None = 0,

    /// <summary>Stacks of runtime events.</summary>
    Stacks = 1,

    /// <summary>CPU samples in kernel mode, so that none are missing.</summary>
    KernelSamples = 2,

    /// <summary>All details that a process can have.</summary>
    All = Stacks | KernelSamples,

    /// <summary>
    /// CPU samples of EventPipe's sample profiler: managed frames at safe points. Without <see cref="ClockedSamples"/>, their sum is an
    /// estimate.
    /// </summary>
    ManagedSamples = 4,

    /// <summary>
    /// Only native and kernel code has names, because no methods were recorded. An export of such a trace names it by the same events.
    /// </summary>
    NativeNames = 8,

    /// <summary>CPU samples weighted by the clocks of their threads.</summary>
    ClockedSamples = 16,

    /// <summary>Readings of threads' clocks (<see cref="EventKinds.ThreadClocks"/>) lack the ready time.</summary>
    NoReadyTime = 32,
}
