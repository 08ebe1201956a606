namespace EtwSerializerProfiler.Etl.Tests;

/// <summary>
/// Counts of single events against the baselines that TraceEvent wrote on Windows. Names come from TraceEvent's parsers; here GUIDs, groups
/// and ids replace them.
/// </summary>
[NeedsRealTraces]
public sealed class BaselineTests
{
    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");
    private static readonly Guid s_kernelTraceControl = new("b3e675d7-2554-4f18-830b-2762732560de");

    /// <summary>Events of the CLR's providers by id.</summary>
    private static readonly Dictionary<string, (Guid Provider, int Id)> s_runtimeEvents = new()
    {
        ["Microsoft-Windows-DotNETRuntime/GC/Start"] = (s_runtime, 1),
        ["Microsoft-Windows-DotNETRuntime/GC/Stop"] = (s_runtime, 2),
        ["Microsoft-Windows-DotNETRuntime/GC/RestartEEStop"] = (s_runtime, 3),
        ["Microsoft-Windows-DotNETRuntime/GC/HeapStats"] = (s_runtime, 4),
        ["Microsoft-Windows-DotNETRuntime/GC/CreateSegment"] = (s_runtime, 5),
        ["Microsoft-Windows-DotNETRuntime/GC/RestartEEStart"] = (s_runtime, 7),
        ["Microsoft-Windows-DotNETRuntime/GC/SuspendEEStop"] = (s_runtime, 8),
        ["Microsoft-Windows-DotNETRuntime/GC/SuspendEEStart"] = (s_runtime, 9),
        ["Microsoft-Windows-DotNETRuntime/GC/AllocationTick"] = (s_runtime, 10),
        ["Microsoft-Windows-DotNETRuntime/GC/FinalizersStop"] = (s_runtime, 13),
        ["Microsoft-Windows-DotNETRuntime/GC/FinalizersStart"] = (s_runtime, 14),
        ["Microsoft-Windows-DotNETRuntime/Type/BulkType"] = (s_runtime, 15),
        ["Microsoft-Windows-DotNETRuntime/GC/GenerationRange"] = (s_runtime, 23),
        ["Microsoft-Windows-DotNETRuntime/GC/MarkStackRoots"] = (s_runtime, 25),
        ["Microsoft-Windows-DotNETRuntime/GC/FinalizeObject"] = (s_runtime, 29),
        ["Microsoft-Windows-DotNETRuntime/GC/PinObjectAtGCTime"] = (s_runtime, 33),
        ["Microsoft-Windows-DotNETRuntime/GC/Triggered"] = (s_runtime, 35),
        ["Microsoft-Windows-DotNETRuntime/Exception/Start"] = (s_runtime, 80),
        ["Microsoft-Windows-DotNETRuntime/Method/LoadVerbose"] = (s_runtime, 143),
        ["Microsoft-Windows-DotNETRuntime/Method/UnloadVerbose"] = (s_runtime, 144),
        ["Microsoft-Windows-DotNETRuntime/Method/JittingStarted"] = (s_runtime, 145),
        ["Microsoft-Windows-DotNETRuntime/Runtime/Start"] = (s_runtime, 187),
        ["Microsoft-Windows-DotNETRuntime/GC/MarkWithType"] = (s_runtime, 202),
        ["Microsoft-Windows-DotNETRuntime/GC/PerHeapHistory"] = (s_runtime, 204),
        ["Microsoft-Windows-DotNETRuntime/GC/GlobalHeapHistory"] = (s_runtime, 205),
        ["Microsoft-Windows-DotNETRuntimePrivate/GC/PerHeapHistory"] = (s_private, 4),
        ["Microsoft-Windows-DotNETRuntimePrivate/GC/GlobalHeapHistory"] = (s_private, 5),
    };

    /// <summary>Kernel events by group and type.</summary>
    private static readonly Dictionary<string, (byte Group, byte Type)> s_kernelEvents = new()
    {
        ["Windows Kernel/EventTrace"] = (0x00, 0),
        ["Windows Kernel/EventTrace/Extension"] = (0x00, 5),
        ["Windows Kernel/EventTrace/RundownComplete"] = (0x00, 8),
        ["Windows Kernel/EventTrace/EndExtension"] = (0x00, 32),
        ["Windows Kernel/DiskIO/Read"] = (0x01, 10),
        ["Windows Kernel/DiskIO/Write"] = (0x01, 11),
        ["Windows Kernel/DiskIO/ReadInit"] = (0x01, 12),
        ["Windows Kernel/DiskIO/WriteInit"] = (0x01, 13),
        ["Windows Kernel/DiskIO/FlushBuffers"] = (0x01, 14),
        ["Windows Kernel/DiskIO/FlushInit"] = (0x01, 15),
        ["Windows Kernel/Memory/HardFault"] = (0x02, 32),
        ["Windows Kernel/Process/Start"] = (0x03, 1),
        ["Windows Kernel/Process/Stop"] = (0x03, 2),
        ["Windows Kernel/Process/DCStart"] = (0x03, 3),
        ["Windows Kernel/Process/DCStop"] = (0x03, 4),
        ["Windows Kernel/Process/PerfCtr"] = (0x03, 32),
        ["Windows Kernel/Process/PerfCtrRundown"] = (0x03, 33),
        ["Windows Kernel/Process/Defunct"] = (0x03, 39),
        ["Windows Kernel/Thread/Start"] = (0x05, 1),
        ["Windows Kernel/Thread/Stop"] = (0x05, 2),
        ["Windows Kernel/TcpIp/SendIPV6"] = (0x06, 26),
        ["Windows Kernel/TcpIp/RecvIPV6"] = (0x06, 27),
        ["Windows Kernel/UdpIp/Recv"] = (0x08, 11),
        ["Windows Kernel/SystemConfig/Services"] = (0x0B, 15),
        ["Windows Kernel/SystemConfig/PnP"] = (0x0B, 22),
        ["Windows Kernel/PerfInfo/CollectionStart"] = (0x0F, 73),
        ["Windows Kernel/PerfInfo/CollectionEnd"] = (0x0F, 74),
        ["Windows Kernel/Image/Unload"] = (0x14, 2),
        ["Windows Kernel/Image/DCStart"] = (0x14, 3),
        ["Windows Kernel/Image/DCStop"] = (0x14, 4),
        ["Windows Kernel/Image/Load"] = (0x03, 10),
    };

    /// <summary>Classic events by GUID and opcode.</summary>
    private static readonly Dictionary<string, (Guid Class, int Opcode)> s_classicEvents = new()
    {
        ["KernelTraceControl/ImageID"] = (s_kernelTraceControl, 0),
        ["KernelTraceControl/ImageID/DbgID_RSDS"] = (s_kernelTraceControl, 36),
        ["KernelTraceControl/ImageID/DbgID_ILRSDS"] = (s_kernelTraceControl, 37),
        ["KernelTraceControl/ImageID/FileVersion"] = (s_kernelTraceControl, 64),
    };

    [Theory]
    [InlineData("gcevents", 19)]
    [InlineData("net.4.5.2.x64", 55)]
    public void Counts_of_single_events_are_those_of_the_baseline(string name, int min)
    {
        var expected = RealTraces.Counts($"{name}.baseline.txt");
        var kernel = new Dictionary<(byte, byte), long>();
        var classic = new Dictionary<(Guid, int), long>();
        var manifest = new Dictionary<(Guid, int), long>();
        using var reader = EtlReader.Open(RealTraces.Get($"{name}.etl.zip"));
        while (reader.TryRead(out var read))
        {
            if (read.IsKernel)
                kernel[(read.Group, read.Opcode)] = kernel.GetValueOrDefault((read.Group, read.Opcode)) + 1;
            else if (read.IsClassic)
                classic[(read.ProviderId, read.Opcode)] = classic.GetValueOrDefault((read.ProviderId, read.Opcode)) + 1;
            else
                manifest[(read.ProviderId, read.Id)] = manifest.GetValueOrDefault((read.ProviderId, read.Id)) + 1;
        }

        var actual = s_runtimeEvents
            .Select(entry => (entry.Key, Count: manifest.GetValueOrDefault(entry.Value)))
            .Concat(s_kernelEvents.Select(entry => (entry.Key, Count: kernel.GetValueOrDefault(entry.Value))))
            .Concat(s_classicEvents.Select(entry => (entry.Key, Count: classic.GetValueOrDefault(entry.Value))))
            .ToDictionary(entry => entry.Key, entry => entry.Count);
        var compared = expected.Where(entry => actual.ContainsKey(entry.Key)).ToDictionary();
        Assert.True(compared.Count >= min, $"{compared.Count} names of the baseline are known");
        Assert.Equal(EtlKernelGroups.GuidOf(EtlKernelGroups.Image), EtlKernelGroups.GuidOf(EtlKernelGroups.Process, 10));
        Assert.Equal(
            compared.OrderBy(entry => entry.Key),
            compared.Select(entry => KeyValuePair.Create(entry.Key, actual[entry.Key])).OrderBy(entry => entry.Key)
        );
    }
}
