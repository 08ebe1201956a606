using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Names of kernel events in the tools. Sources: <c>xperf -providers k</c> and the list of <c>-stackwalk</c> names in the Windows Performance Toolkit's
/// documentation (desktop-src/xperf/stackwalk.md of MicrosoftDocs/win32), the Keyword and Stack elements of WPR's schema, KernelTraceEventParser.Keywords of TraceEvent.
/// </summary>
public static class KernelEventNames
{
    /// <summary>Registry accesses whose stacks tell who looks something up: opening a key and reading values.</summary>
    private static readonly string[] s_registryStacks = ["RegOpenKey", "RegQueryValue", "RegEnumerateKey", "RegEnumerateValueKey"];

    /// <summary>The same in .wprp files.</summary>
    private static readonly string[] s_wprRegistryStacks = ["RegistryOpenKey", "RegistryQueryValue", "RegistryEnumerateKey", "RegistryEnumerateValueKey"];

    /// <summary>All groups, in the order in which tools are given them.</summary>
    public static IReadOnlyList<KernelEventName> All { get; } =
    [
        new(KernelEvents.ProcessThread, "PROC_THREAD", [], "ProcessThread", [], ["Process", "Thread"], "names of processes and threads", "a few events a process and thread"),
        new(KernelEvents.Loader, "LOADER", [], "Loader", [], ["ImageLoad"], "modules of stacks", "a few events a loaded file"),
        new(KernelEvents.Profile, "PROFILE", ["Profile"], "SampledProfile", ["SampledProfile"], ["Profile"], "CPU samples", "an event a millisecond and busy processor; with its stack several times as large"),
        new(KernelEvents.ContextSwitch, "CSWITCH", ["CSwitch"], "CSwitch", ["CSwitch"], ["ContextSwitch"], "when threads run and wait; bounds of runs", "thousands of events a second, machine-wide; stacks cost several times the event"),
        new(KernelEvents.Dispatcher, "DISPATCHER", ["ReadyThread"], "ReadyThread", ["ReadyThread"], ["Dispatcher"], "when waiting threads are made ready, and by whom", "about as many events as context switches"),
        new(KernelEvents.Registry, "REGISTRY", s_registryStacks, "Registry", s_wprRegistryStacks, ["Registry"], "registry accesses of first calls", "thousands of events where a program starts"),
        new(KernelEvents.DiskIo, "DISK_IO", [], "DiskIO", [], ["DiskIO"], "reads and writes of disks", "an event an access"),
        new(KernelEvents.HardFaults, "HARD_FAULTS", [], "HardFaults", [], ["MemoryHardFaults"], "page faults answered from a disk", "an event a fault"),
        new(KernelEvents.FileIo, "FILE_IO", [], "FileIO", [], ["FileIO"], "files opened, read and written", "an event an operation; many where many small files are read"),
        new(KernelEvents.Dpc, "DPC", [], "DPC", [], ["DeferedProcedureCalls"], "deferred procedure calls", "thousands of events a second"),
        new(KernelEvents.Interrupt, "INTERRUPT", [], "Interrupt", [], ["Interrupt"], "interrupts", "thousands of events a second"),
        new(KernelEvents.VirtualAlloc, "VIRT_ALLOC", ["VirtualAlloc"], "VirtualAllocation", ["VirtualAllocation"], ["VirtualAlloc"], "virtual memory reserved and freed", "an event a call"),
    ];

    /// <summary>The groups in a set, in the order of <see cref="All"/>.</summary>
    public static IEnumerable<KernelEventName> In(KernelEvents events) => All.Where(name => events.HasFlag(name.Events));

    /// <summary>The events of the groups that a flag or a part of one chooses; none when there is no such flag.</summary>
    /// <param name="flag">For example <c>DISK_IO</c>.</param>
    public static KernelEvents Find(string flag)
    {
        var flags = NameChoice.Find(flag, All.Select(name => name.Flag));
        return All.Where(name => flags.Contains(name.Flag)).Aggregate(KernelEvents.None, (events, name) => events | name.Events);
    }
}
