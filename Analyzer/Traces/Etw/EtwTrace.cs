using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Export;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>An ETW trace of a machine (.etl), with its .NET processes and their available data, found in one pass.</summary>
public sealed class EtwTrace
{
    private readonly Dictionary<int, EventHub> _seen = [];

    /// <summary>Processes whose runtime logged stacks.</summary>
    private readonly HashSet<int> _withStacks = [];
    private readonly Dictionary<int, string> _names = [];
    private readonly Dictionary<int, string> _runtimes = [];
    private readonly IReadOnlyList<string> _paths;

    /// <summary>Open as long as the trace is used, because extracted files are deleted with it.</summary>
    private readonly EtlFiles _files;
    private EventKinds _kernel;
    private EventDetails _details;

    /// <summary>Processes of an exported recording, with the recording's data on them.</summary>
    private readonly List<ExportedProcess> _exported = [];

    /// <summary>Number of undecodable events about processes and threads.</summary>
    private long _undecodable;

    private EtwTrace(IReadOnlyList<string> paths)
    {
        _paths = UnmergedTrace.WithParts(paths);
        _files = OpenFiles(_paths);
    }

    /// <summary>Its path, or that of its first file.</summary>
    public string Name => _paths[0];

    /// <summary>Its files: the named ones, and the other parts of an unmerged trace.</summary>
    public IReadOnlyList<string> Paths => _paths;

    /// <summary>Whether it is an exported Linux recording (<c>esp-analyze export</c>), which names native and kernel code itself.</summary>
    public bool IsExported => _exported.Count > 0;

    /// <summary>The log file header.</summary>
    public EtlTraceHeader Header { get; private set; } = null!;

    /// <summary>Losses and damage.</summary>
    public EtlStatistics Statistics { get; private set; } = null!;

    /// <summary>The .NET processes, by process id.</summary>
    public IReadOnlyList<EtwSource> Sources { get; private set; } = [];

    /// <summary>What the trace lacks, besides lost events and the first damaged place, one sentence each.</summary>
    public IEnumerable<string> Problems
    {
        get
        {
            if (Statistics.EventsLost is null)
                yield return $"{Name}: the session was not closed: its count of lost events was not recorded, and its last buffers are missing";
            if (Statistics.BuffersLost > 0)
                yield return FormattableString.Invariant(
                    $"{Name}: {Plural.Of(Statistics.BuffersLost ?? 0, "buffer")} lost: the disk was too slow"
                );
            if (_undecodable > 0)
                yield return FormattableString.Invariant(
                    $"{Name}: {Plural.Of(_undecodable, "event")} about processes and threads cannot be decoded: their payloads are damaged"
                );
            if (_exported.Count(process => process.Ends.Count > 0) is > 0 and var cut)
                yield return FormattableString.Invariant(
                    $"{Name}: the source recording is damaged: some events of {Plural.Of(cut, "process")} end early"
                );
            if (Statistics.DamageCount > 1)
                yield return FormattableString.Invariant(
                    $"{Name}: {Plural.Of(Statistics.DamageCount, "place")} damaged and skipped; 'esp-analyze stats' lists them"
                );
        }
    }

    /// <summary>Processes of threads.</summary>
    internal ThreadOwners Threads { get; } = new();

    /// <summary>Stacks that events reference by key.</summary>
    internal StackDefinitions Stacks { get; private set; } = null!;

    /// <summary>PDB files of images.</summary>
    internal ImageIds ImageIds { get; } = new();

    /// <summary>First kernel address: a 64-bit system has the highest bits set, a 32-bit one divides its 4 GB in halves.</summary>
    internal ulong FirstKernelAddress => Header.PointerSize == 4 ? 0x8000_0000 : 0xFFFF_8000_0000_0000;

    /// <summary>Interval of the CPU samples in units of 100 ns; 0 when the trace lacks it.</summary>
    internal int SampleInterval { get; private set; }

    /// <summary>Opens a trace.</summary>
    /// <param name="paths">Its file, or its files.</param>
    /// <exception cref="TraceFormatException">The file is not an .etl file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static EtwTrace Open(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var trace = new EtwTrace(paths);
        trace.Scan();
        return trace;
    }

    /// <summary>Program name of a process; empty when unknown.</summary>
    public string NameOf(int process) => _names.GetValueOrDefault(process, "");

    /// <summary>Runtime version of a process; empty when unknown.</summary>
    public string RuntimeOf(int process) => _runtimes.GetValueOrDefault(process, "");

    /// <summary>For an export of a damaged recording, the end times of a process's event kinds.</summary>
    internal IReadOnlyList<(EventKinds Kinds, long Until)> EndsOf(int process) => ExportedOf(process)?.Ends ?? [];

    /// <summary>The recording's data on an exported process; null for any other trace.</summary>
    internal ExportedProcess? ExportedOf(int process) => _exported.Find(item => item.ProcessId == process);

    /// <summary>Opens a reader of the whole trace.</summary>
    internal EtlReader OpenReader() => OpenReader(_files);

    /// <summary>The file name in the kernel's form of a path. (TraceEvent's own conversion asks Windows for the drives.)</summary>
    internal static string FileName(string kernelPath) => kernelPath[(kernelPath.LastIndexOf('\\') + 1)..];

    /// <summary>Opens the files of a trace, for several readers.</summary>
    internal static EtlFiles OpenFiles(IReadOnlyList<string> paths) => Open(() => EtlFiles.Open(UnmergedTrace.WithParts(paths)));

    /// <summary>Opens a reader of a trace.</summary>
    internal static EtlReader OpenReader(EtlFiles files, EtlReadOptions? options = null) =>
        Open(() =>
            EtlReader.Open(
                files,
                ReadProgress.Current is { } progress ? (options ?? new EtlReadOptions()) with { Progress = new EtlPass(progress) } : options
            )
        );

    private static T Open<T>(Func<T> open)
    {
        try
        {
            return open();
        }
        catch (EtlFormatException exception)
        {
            throw new TraceFormatException(
                exception.TraceFile,
                exception.Offset,
                exception.Expected,
                exception.Found,
                exception.Fix,
                exception
            );
        }
    }

    private void Scan()
    {
        var reader = OpenReader();
        Header = reader.Header;
        Statistics = reader.Statistics;
        Stacks = new StackDefinitions(FirstKernelAddress);
        var feed = new EventRecordFeed(reader, new TraceLoggingSchemas(), Notice, null);
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
        Sources = IsExported
            ? ExportedSources()
            :
            [
                .. _seen
                    .Where(pair => pair.Value.Seen != EventKinds.None)
                    .OrderBy(pair => pair.Key)
                    .Select(
                        (pair, index) =>
                            new EtwSource(
                                this,
                                pair.Key,
                                pair.Value.Seen | _kernel,
                                _withStacks.Contains(pair.Key) ? _details | EventDetails.Stacks : _details,
                                index == 0
                            )
                    ),
            ];
    }

    /// <summary>The processes of the recording, in its order, with the recorded event kinds, which need not have occurred.</summary>
    private IReadOnlyList<EtwSource> ExportedSources()
    {
        foreach (var process in _exported)
        {
            _names[process.ProcessId] = process.Program;
            if (process.Runtime.Length > 0)
                _runtimes[process.ProcessId] = process.Runtime;
        }

        return
        [
            .. _exported.Select(
                (process, index) =>
                    new EtwSource(
                        this,
                        process.ProcessId,
                        process.Kinds | EventKinds.MethodCode,
                        (process.Kinds & EventKinds.MethodCode) == 0 ? process.Details | EventDetails.NativeNames : process.Details,
                        index == 0
                    )
            ),
        ];
    }

    /// <summary>Checks every event for what the trace provides, and selects those for the scan.</summary>
    private bool Notice(in EtlEvent item)
    {
        if (item.IsKernel)
        {
            if (item is { Group: EtlKernelGroups.StackWalk, Opcode: KernelPayload.Stack or KernelPayload.StackKeyOfProgram })
                _details |= EventDetails.Stacks;
            if (
                item is { Group: EtlKernelGroups.StackWalk, Opcode: KernelPayload.StackGivenUp or KernelPayload.StackListedAtEnd }
                && KernelPayload.TryReadStackDefinition(item.Payload, item.PointerSize, out var key, out var addresses)
            )
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
        if (
            ClrEventDispatcher.IsStack(provider, item.Id)
            || (ClrEventDispatcher.HasStack(provider, item.Id) && !ClrStacks.Of(item, out _).IsEmpty)
        )
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
                _kernel |= EventKinds.SwitchInStacks; // if they belong to switches, a pass will show it
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

    /// <summary>
    /// The desktop runtime reports its version; for others it is the name of their folder, else the version of their class library.
    /// </summary>
    private static string RuntimeName(RuntimeInformationTraceData data)
    {
        if (data.Sku == RuntimeSku.DesktopClr)
            return FormattableString.Invariant(
                $".NET Framework CLR {data.VMMajorVersion}.{data.VMMinorVersion}.{data.VMBuildNumber}.{data.VMQfeNumber}"
            );
        return ProcessPayload.VersionOf(data.RuntimeDllPath) is { Length: > 0 } version
            ? $".NET {version}"
            : FormattableString.Invariant($".NET {data.BclMajorVersion}.{data.BclMinorVersion}.{data.BclBuildNumber}");
    }

    private static long Time(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": the only exact time
        return data.TimeStampQPC;
#pragma warning restore CS0618
    }
}
