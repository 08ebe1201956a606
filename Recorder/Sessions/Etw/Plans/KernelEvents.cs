namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Groups of kernel events that a plan can request. The bits are our own; <see cref="KernelEventNames"/> has each tool's name for a group.
/// </summary>
[Flags]
public enum KernelEvents
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Starts and ends of processes and threads; without them, nothing has a name.</summary>
    ProcessThread = 1 << 0,

    /// <summary>Loads of executable files; without them, stacks have no modules.</summary>
    Loader = 1 << 1,

    /// <summary>CPU samples.</summary>
    Profile = 1 << 2,

    /// <summary>Context switches.</summary>
    ContextSwitch = 1 << 3,

    /// <summary>When a waiting thread becomes ready, and by whom.</summary>
    Dispatcher = 1 << 4,

    /// <summary>Accesses to the registry.</summary>
    Registry = 1 << 5,

    /// <summary>Reads and writes of disks.</summary>
    DiskIo = 1 << 6,

    /// <summary>Page faults that read from a disk.</summary>
    HardFaults = 1 << 7,

    /// <summary>Files opened, read and written.</summary>
    FileIo = 1 << 8,

    /// <summary>Deferred procedure calls.</summary>
    Dpc = 1 << 9,

    /// <summary>Interrupts.</summary>
    Interrupt = 1 << 10,

    /// <summary>Reserved, committed and freed virtual memory.</summary>
    VirtualAlloc = 1 << 11,
}
