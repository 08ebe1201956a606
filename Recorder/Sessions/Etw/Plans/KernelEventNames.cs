using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>
/// Names of kernel events in the tools. Sources: <c>xperf -providers k</c> and the list of <c>-stackwalk</c> names in the Windows
/// Performance Toolkit's documentation (desktop-src/xperf/stackwalk.md of MicrosoftDocs/win32), the Keyword and Stack elements of WPR's
/// schema, KernelTraceEventParser.Keywords of TraceEvent.
/// </summary>
public static class KernelEventNames
{
    /// <summary>Registry accesses whose stacks show who looks something up: opening a key and reading values.</summary>
    private static readonly string[] s_registryStacks = ["RegOpenKey", "RegQueryValue", "RegEnumerateKey", "RegEnumerateValueKey"];

    /// <summary>The same events in .wprp files.</summary>
    private static readonly string[] s_wprRegistryStacks =
    [
        "RegistryOpenKey",
        "RegistryQueryValue",
        "RegistryEnumerateKey",
        "RegistryEnumerateValueKey",
    ];

    /// <summary>All groups in the order in which tools receive them.</summary>
    public static IReadOnlyList<KernelEventName> All { get; } =
    [
        new(
            KernelEvents.ProcessThread,
            "PROC_THREAD",
            [],
            "ProcessThread",
            [],
            ["Process", "Thread"],
            "names of processes and threads",
            "a few events per process and thread"
        ),
        new(KernelEvents.Loader, "LOADER", [], "Loader", [], ["ImageLoad"], "modules of stacks", "a few events per loaded file"),
        new(
            KernelEvents.Profile,
            "PROFILE",
            ["Profile"],
            "SampledProfile",
            ["SampledProfile"],
            ["Profile"],
            "CPU samples",
            "an event per millisecond and busy processor; several times as large with its stack"
        ),
        new(
            KernelEvents.ContextSwitch,
            "CSWITCH",
            ["CSwitch"],
            "CSwitch",
            ["CSwitch"],
            ["ContextSwitch"],
            "when threads run and wait; bounds of runs",
            "thousands of events a second, machine-wide; stacks cost several times the event"
        ),
        new(
            KernelEvents.Dispatcher,
            "DISPATCHER",
            ["ReadyThread"],
            "ReadyThread",
            ["ReadyThread"],
            ["Dispatcher"],
            "when waiting threads become ready, and by whom",
            "about as many events as context switches"
        ),
        new(
            KernelEvents.Registry,
            "REGISTRY",
            s_registryStacks,
            "Registry",
            s_wprRegistryStacks,
            ["Registry"],
            "registry accesses of first calls",
            "thousands of events where a program starts"
        ),
        new(KernelEvents.DiskIo, "DISK_IO", [], "DiskIO", [], ["DiskIO"], "reads and writes of disks", "an event per access"),
        new(
            KernelEvents.HardFaults,
            "HARD_FAULTS",
            [],
            "HardFaults",
            [],
            ["MemoryHardFaults"],
            "page faults that read from a disk",
            "an event per fault"
        ),
        new(
            KernelEvents.FileIo,
            "FILE_IO",
            [],
            "FileIO",
            [],
            ["FileIO"],
            "files opened, read and written",
            "an event per operation; many when a program reads many small files"
        ),
        new(KernelEvents.Dpc, "DPC", [], "DPC", [], ["DeferedProcedureCalls"], "deferred procedure calls", "thousands of events a second"),
        new(KernelEvents.Interrupt, "INTERRUPT", [], "Interrupt", [], ["Interrupt"], "interrupts", "thousands of events a second"),
        new(
            KernelEvents.VirtualAlloc,
            "VIRT_ALLOC",
            ["VirtualAlloc"],
            "VirtualAllocation",
            ["VirtualAllocation"],
            ["VirtualAlloc"],
            "virtual memory reserved and freed",
            "an event per call"
        ),
    ];

    /// <summary>The groups in a set, in the order of <see cref="All"/>.</summary>
    public static IEnumerable<KernelEventName> In(KernelEvents events) => All.Where(name => events.HasFlag(name.Events));

    /// <summary>The events of the groups whose flag contains a text; none when no flag does.</summary>
    /// <param name="flag">A flag or a part of it, for example <c>DISK_IO</c>.</param>
    public static KernelEvents Find(string flag)
    {
        var flags = NameChoice.Find(flag, All.Select(name => name.Flag));
        return All.Where(name => flags.Contains(name.Flag)).Aggregate(KernelEvents.None, (events, name) => events | name.Events);
    }
}
