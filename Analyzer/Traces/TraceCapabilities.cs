namespace EtwSerializerProfiler.Traces;

/// <summary>Kinds of events: what a source can give, and what a pass asks for.</summary>
[Flags]
public enum TraceCapabilities
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>RunStart, RunStop, RunClockStopped and MarkerWaiting of the run marks.</summary>
    RunMarks = 1,

    /// <summary>Begin and end of waits (WaitHandle events, .NET 9 and later).</summary>
    Waits = 2,

    /// <summary>Collections and runtime suspensions.</summary>
    Collections = 4,

    /// <summary>Exceptions thrown.</summary>
    Exceptions = 8,

    /// <summary>Lock contention.</summary>
    Contention = 16,

    /// <summary>Begin of a method's compilation and its code being ready.</summary>
    Jit = 32,

    /// <summary>Allocation ticks: one event for about every 100 KB allocated.</summary>
    AllocationTicks = 64,

    /// <summary>Sampled allocations (.NET 10 and later).</summary>
    AllocationSamples = 128,

    /// <summary>Context switches: threads coming to a processor and leaving it.</summary>
    Switches = 256,

    /// <summary>Threads being made ready.</summary>
    Wakings = 512,

    /// <summary>CPU samples.</summary>
    CpuSamples = 1024,

    /// <summary>Addresses and names of methods, and the modules they belong to.</summary>
    MethodCode = 2048,

    /// <summary>Files mapped as code, programs begun, threads created and named.</summary>
    ProcessLayout = 4096,

    /// <summary>CPU samples in kernel mode, too: says of <see cref="CpuSamples"/> that none are missing.</summary>
    KernelSamples = 8192,

    /// <summary>Where threads were when they left their processors.</summary>
    SwitchStacks = 16384,

    /// <summary>Stacks of the runtime's events: says of the kinds that are asked for with it that their stacks are wanted, too.</summary>
    Stacks = 32768,

    /// <summary>Stacks with which threads come back to a processor: where they waited.</summary>
    SwitchInStacks = 65536,

    /// <summary>CPU samples of all other processes of the machine: time and thread, no stacks.</summary>
    OtherProcesses = 131072,

    /// <summary>Assemblies and their modules being loaded.</summary>
    AssemblyLoads = 262144,

    /// <summary>What the runtime looked for to load an assembly, and whether it was found (.NET 5 and later).</summary>
    AssemblySearches = 524288,

    /// <summary>Begin and end of type loads (.NET 5 and later).</summary>
    TypeLoads = 1048576,

    /// <summary>Precompiled methods whose code was looked for (.NET Core 3 and later).</summary>
    PrecompiledMethods = 2097152,

    /// <summary>What tells what first calls are made of.</summary>
    Startup = AssemblyLoads | AssemblySearches | TypeLoads | PrecompiledMethods,

    /// <summary>Everything above.</summary>
    All = RunMarks | Waits | Collections | Exceptions | Contention | Jit | AllocationTicks | AllocationSamples | Switches | Wakings | CpuSamples | MethodCode | ProcessLayout | KernelSamples | SwitchStacks | Stacks | SwitchInStacks | OtherProcesses | Startup,
}
