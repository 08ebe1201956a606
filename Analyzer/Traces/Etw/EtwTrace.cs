using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>An ETW trace of a machine (.etl): which .NET processes are in it and what it knows of each. Found out in one pass.</summary>
public sealed class EtwTrace
{
    private readonly Dictionary<int, EventHub> _seen = [];

    /// <summary>Processes whose runtime logged stacks.</summary>
    private readonly HashSet<int> _withStacks = [];
    private readonly Dictionary<int, string> _names = [];
    private readonly Dictionary<int, string> _runtimes = [];
    private readonly IReadOnlyList<string> _paths;

    /// <summary>Open as long as the trace is used: what was unpacked goes with it.</summary>
    private readonly EtlFiles _files;
    private EventKinds _kernel;
    private EventDetails _details;

    /// <summary>Of a trace that was made of a recording: what that knows of its processes.</summary>
    private readonly List<ExportedProcess> _exported = [];

    /// <summary>Events about processes and threads that could not be decoded.</summary>
    private long _undecodable;

    private EtwTrace(IReadOnlyList<string> paths)
    {
        _paths = UnmergedTrace.WithParts(paths);
        _files = OpenFiles(_paths);
    }

    /// <summary>Its path, or that of its first file.</summary>
    public string Name => _paths[0];

    /// <summary>Its files: those that were named, and the parts of an unmerged trace beside them.</summary>
    public IReadOnlyList<string> Paths => _paths;

    /// <summary>Whether it was made of a recording of Linux (<c>esp-analyze export</c>): then it names native and kernel code itself.</summary>
    public bool IsExported => _exported.Count > 0;

    /// <summary>What the log file header says.</summary>
    public EtlTraceHeader Header { get; private set; } = null!;

    /// <summary>What was lost and damaged.</summary>
    public EtlStatistics Statistics { get; private set; } = null!;

    /// <summary>The .NET processes, by process id.</summary>
    public IReadOnlyList<EtwSource> Sources { get; private set; } = [];

    /// <summary>What is missing from the trace besides lost events and the first damaged place, a sentence each.</summary>
    public IEnumerable<string> Problems
    {
        get
        {
            if (Statistics.EventsLost is null)
                yield return $"{Name}: the session was not closed: how many events it lost is not recorded, and its last buffers are missing";
            if (Statistics.BuffersLost > 0)
                yield return FormattableString.Invariant($"{Name}: {Plural.Of(Statistics.BuffersLost ?? 0, "buffer")} lost: the disk could not keep up");
            if (_undecodable > 0)
                yield return FormattableString.Invariant($"{Name}: {Plural.Of(_undecodable, "event")} about processes and threads cannot be decoded: their payloads are damaged");
            if (_exported.Count(process => process.Ends.Count > 0) is > 0 and var cut)
                yield return FormattableString.Invariant($"{Name}: the recording that it was made of is damaged: some events of {Plural.Of(cut, "process")} end early");
            if (Statistics.DamageCount > 1)
                yield return FormattableString.Invariant($"{Name}: {Plural.Of(Statistics.DamageCount, "place")} damaged and left out; 'esp-analyze stats' names them");
        }
    }

    /// <summary>Which process a thread belongs to.</summary>
    internal ThreadOwners Threads { get; } = new();

    /// <summary>Stacks that events name by a key.</summary>
    internal StackDefinitions Stacks { get; private set; } = null!;

    /// <summary>Which PDB files images belong to.</summary>
    internal ImageIds ImageIds { get; } = new();

    /// <summary>Where the kernel's addresses begin: a 64-bit system has their highest bits set, a 32-bit one parts its 4 GB in two.</summary>
    internal ulong FirstKernelAddress => Header.PointerSize == 4 ? 0x8000_0000 : 0xFFFF_8000_0000_0000;

    /// <summary>Interval of the CPU samples in units of 100 ns; 0 when the trace does not say.</summary>
    internal int SampleInterval { get; private set; }

    /// <summary>Opens a trace.</summary>
    /// <param name="paths">Its file, or its files.</param>
    /// <exception cref="TraceFormatException">It is no .etl file.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static EtwTrace Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var trace = new EtwTrace(paths);
        trace.Scan();
        return trace;
    }

    /// <summary>Name of the program of a process, empty when unknown.</summary>
    public string NameOf(int process) => _names.GetValueOrDefault(process, "");

    /// <summary>Version of the runtime of a process, empty when unknown.</summary>
    public string RuntimeOf(int process) => _runtimes.GetValueOrDefault(process, "");

    /// <summary>Of a trace that was made of a damaged recording: which events of a process come up to which time only.</summary>
    internal IReadOnlyList<(EventKinds Kinds, long Until)> EndsOf(int process) => ExportedOf(process)?.Ends ?? [];

    /// <summary>What the recording knows of a process that the trace was made of; null for any other trace.</summary>
    internal ExportedProcess? ExportedOf(int process) => _exported.Find(item => item.ProcessId == process);

    /// <summary>A reader over the whole trace.</summary>
    internal EtlReader OpenReader() => OpenReader(_files);

    /// <summary>The name of a file in the kernel's form of its path. (TraceEvent's own conversion asks Windows for the drives.)</summary>
    internal static string FileName(string kernelPath) => kernelPath[(kernelPath.LastIndexOf('\\') + 1)..];

    /// <summary>The files of some trace, for several readers.</summary>
    internal static EtlFiles OpenFiles(IReadOnlyList<string> paths) => Open(() => EtlFiles.Open(UnmergedTrace.WithParts(paths)));

    /// <summary>A reader over some trace.</summary>
    internal static EtlReader OpenReader(EtlFiles files, EtlReadOptions? options = null) =>
        Open(() => EtlReader.Open(files, ReadProgress.Current is { } progress ? (options ?? new EtlReadOptions()) with { Progress = new EtlPass(progress) } : options));

    private static T Open<T>(Func<T> open)
    {
        try
        {
            return open();
        }
        catch (EtlFormatException exception)
        {
            throw new TraceFormatException(exception.TraceFile, exception.Offset, exception.Expected, exception.Found, exception.Fix, exception);
        }
    }

    private void Scan()
    {
        var reader = OpenReader();
        Header = reader.Header;
        Statistics = reader.Statistics;
        Stacks = new StackDefinitions(FirstKernelAddress);
        var feed = new EventRecordFeed(() => reader, new TraceLoggingSchemas(), Notice, null);
        using var source = feed.CreateSource();
        source.Kernel.ThreadStartGroup += data => Threads.Add(data.ThreadID, data.ProcessID, Time(data));
        source.Kernel.ThreadEndGroup += data => Threads.AddIfUnknown(data.ThreadID, data.ProcessID);
        source.Kernel.ProcessStartGroup += data => _names.TryAdd(data.ProcessID, FileName(data.KernelImageFileName));
        source.Kernel.ProcessEndGroup += data => _names.TryAdd(data.ProcessID, FileName(data.KernelImageFileName));
        source.Kernel.PerfInfoCollectionStart += data => SampleInterval = data.SampleSource == 0 ? data.NewInterval : SampleInterval;
        source.Kernel.PerfInfoSetInterval += data => SampleInterval = data.SampleSource == 0 ? data.NewInterval : SampleInterval;
        source.Clr.RuntimeStart += data => _runtimes.TryAdd(data.ProcessID, RuntimeName(data));
        new ClrRundownTraceEventParser(source).RuntimeStart += data => _runtimes.TryAdd(data.ProcessID, RuntimeName(data));
        feed.ProcessAll(source);
        _undecodable = feed.Undecodable;
        Sources = IsExported ? ExportedSources() : [.. _seen.Where(pair => pair.Value.Seen != EventKinds.None).OrderBy(pair => pair.Key).Select((pair, index) => new EtwSource(this, pair.Key, pair.Value.Seen | _kernel, _withStacks.Contains(pair.Key) ? _details | EventDetails.Stacks : _details, index == 0))];
    }

    /// <summary>The processes of the recording, in its order; it says what was recorded, which need not have occurred.</summary>
    private IReadOnlyList<EtwSource> ExportedSources()
    {
        foreach (var process in _exported)
        {
            _names[process.ProcessId] = process.Program;
            if (process.Runtime.Length > 0)
                _runtimes[process.ProcessId] = process.Runtime;
        }

        return [.. _exported.Select((process, index) => new EtwSource(this, process.ProcessId, process.Kinds | EventKinds.MethodCode, (process.Kinds & EventKinds.MethodCode) == 0 ? process.Details | EventDetails.NativeNames : process.Details, index == 0))];
    }

    /// <summary>Looks at every event for what the trace can give, and picks those that the scan reads.</summary>
    private bool Notice(in EtlEvent item)
    {
        if (item.IsKernel)
        {
            if (item is { Group: EtlKernelGroups.StackWalk, Opcode: KernelPayload.Stack or KernelPayload.StackKeyOfProgram })
                _details |= EventDetails.Stacks;
            if (item is { Group: EtlKernelGroups.StackWalk, Opcode: KernelPayload.StackGivenUp or KernelPayload.StackListedAtEnd }
                && KernelPayload.TryReadStackDefinition(item.Payload, item.PointerSize, out var key, out var addresses))
            {
                Stacks.Add(key, item.Timestamp, addresses, item.PointerSize);
            }

            return NoticeKernelEvent(item.Group, item.Opcode);
        }

        if (ImageIds.TryAdd(item))
            return false;
        if (ExportedProcess.Read(item) is { } exported)
        {
            _exported.Add(exported);
            return false;
        }

        if (item.IsClassic)
            return EtlKernelGroups.TryGetGroup(item.ProviderId, out var group) && NoticeKernelEvent(group, item.Opcode);
        var provider = item.ProviderId;
        if (!ClrEventDispatcher.Knows(provider))
            return false;
        if (!_seen.TryGetValue(item.ProcessId, out var seen))
            _seen[item.ProcessId] = seen = EventHub.LookingForKinds();
        if (ClrEventDispatcher.IsStack(provider, item.Id) || (ClrEventDispatcher.HasStack(provider, item.Id) && !ClrStacks.Of(item, out _).IsEmpty))
            _withStacks.Add(item.ProcessId);
        new ClrEventDispatcher(seen).Dispatch(provider, item.Id, new EventAt(item.Timestamp, item.ProcessId, item.ThreadId), item.Payload);
        return item.Id == ProcessPayload.RuntimeInformation;
    }

    private bool NoticeKernelEvent(byte group, byte type)
    {
        switch (group)
        {
            case EtlKernelGroups.Thread when type == KernelPayload.ContextSwitch:
                _kernel |= EventKinds.ContextSwitches;
                return false;
            case EtlKernelGroups.Thread when type == KernelPayload.ReadyThread:
                _kernel |= EventKinds.ReadyThreads;
                return false;
            case EtlKernelGroups.StackWalk:
                _kernel |= EventKinds.SwitchInStacks; // if of switches, a pass will tell
                return false;
            case EtlKernelGroups.PerfInfo when type == KernelPayload.SampledProfile:
                _kernel |= EventKinds.CpuSamples | EventKinds.OtherProcesses;
                _details |= EventDetails.KernelSamples;
                return false;
            case EtlKernelGroups.PerfInfo:
                return type is KernelPayload.SetInterval or KernelPayload.CollectionStart;
            case EtlKernelGroups.Image:
                _kernel |= EventKinds.ProcessLayout;
                return false;
            case EtlKernelGroups.Thread or EtlKernelGroups.Process:
                return type is >= 1 and <= 4;
            default:
                return false;
        }
    }

    /// <summary>The desktop runtime says its version; that of the others is the name of their folder, else the version of their class library.</summary>
    private static string RuntimeName(RuntimeInformationTraceData data)
    {
        if (data.Sku == RuntimeSku.DesktopClr)
            return FormattableString.Invariant($".NET Framework CLR {data.VMMajorVersion}.{data.VMMinorVersion}.{data.VMBuildNumber}.{data.VMQfeNumber}");
        return ProcessPayload.VersionOf(data.RuntimeDllPath) is { Length: > 0 } version
            ? $".NET {version}"
            : FormattableString.Invariant($".NET {data.BclMajorVersion}.{data.BclMinorVersion}.{data.BclBuildNumber}");
    }

    private static long Time(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        return data.TimeStampQPC;
#pragma warning restore CS0618
    }
}
