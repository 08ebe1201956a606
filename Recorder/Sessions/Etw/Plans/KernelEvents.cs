namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Groups of kernel events that a plan can ask for. The bits are our own; <see cref="KernelEventNames"/> says what each tool calls a group.
/// </summary>
[Flags]
public enum KernelEvents
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Starts and ends of processes and threads; without them nothing has a name.</summary>
    ProcessThread = 1 << 0,

    /// <summary>Loads of executable files; without them no stack has a module.</summary>
    Loader = 1 << 1,

    /// <summary>CPU samples.</summary>
    Profile = 1 << 2,

    /// <summary>Context switches: when a thread got and left its processor.</summary>
    ContextSwitch = 1 << 3,

    /// <summary>When a waiting thread is made ready, and by whom.</summary>
    Dispatcher = 1 << 4,

    /// <summary>Accesses to the registry.</summary>
    Registry = 1 << 5,

    /// <summary>Reads and writes of disks.</summary>
    DiskIo = 1 << 6,

    /// <summary>Page faults that were answered from a disk.</summary>
    HardFaults = 1 << 7,

    /// <summary>Files opened, read and written.</summary>
    FileIo = 1 << 8,

    /// <summary>Deferred procedure calls.</summary>
    Dpc = 1 << 9,

    /// <summary>Interrupts.</summary>
    Interrupt = 1 << 10,

    /// <summary>Virtual memory that is reserved, committed and freed.</summary>
    VirtualAlloc = 1 << 11,
}
