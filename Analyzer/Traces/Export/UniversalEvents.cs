using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Writes the events of a machine as record-trace does: providers Universal.System and Universal.Events.</summary>
/// <remarks>
/// A switch event has the time of the switch-in, the time since the switch-out as its value, and the stack of the switch-out: that is what
/// the format's description says, and ThreadTimeComputer of TraceEvent computes blocked time from it. record-trace 0.1.35021 writes the
/// time of the switch-out instead. The first switch-in of a thread has the value 0. A provider of our own adds the switch-outs and who
/// readied a thread; a second field of samples describes the end of the stack. Source: UniversalProviders.md of microsoft/perfview.
/// </remarks>
/// <param name="writer">Receives them.</param>
/// <param name="counts">Counts them.</param>
internal sealed class UniversalEvents(NetTraceEventWriter writer, ExportCounts counts) : IMachineEvents
{
    /// <summary>Path of memory for generated code. TraceEvent would treat memory with any other name as a module.</summary>
    private const string CodeMemory = "/memfd:doublemapper";

    /// <summary>Path of the kernel's code in every process.</summary>
    private const string Kernel = "vmlinux";

    private const byte VariableNumberType = 21;

    // The format has no type for the texts of universal events; an array of UTF-8 units has the same bytes.
    private static readonly byte[] s_text = [19, 23];
    private static readonly byte[] s_number = [VariableNumberType];

    private readonly int _existing = writer.AddType(
        Describe("ExistingProcess", 0, ("NamespaceId", s_number), ("Name", s_text), ("NamespaceName", s_text))
    );
    private readonly int _created = writer.AddType(
        Describe(UniversalEventKinds.ProcessCreated, 1, ("NamespaceId", s_number), ("Name", s_text), ("NamespaceName", s_text))
    );
    private readonly int _exited = writer.AddType(Describe(UniversalEventKinds.ProcessExited, 2));
    private readonly int _mapping = writer.AddType(
        Describe(
            "ProcessMapping",
            3,
            ("Id", s_number),
            ("StartAddress", s_number),
            ("EndAddress", s_number),
            ("FileOffset", s_number),
            ("FileName", s_text),
            ("MetadataId", s_number)
        )
    );
    private readonly int _symbol = writer.AddType(
        Describe(
            "ProcessSymbol",
            4,
            ("Id", s_number),
            ("MappingId", s_number),
            ("StartAddress", s_number),
            ("EndAddress", s_number),
            ("Name", s_text)
        )
    );
    private readonly int _metadata = writer.AddType(
        Describe("ProcessMappingMetadata", 5, ("Id", s_number), ("SymbolMetadata", s_text), ("VersionMetadata", s_text))
    );

    // Ids as in record-trace. TraceEvent 4.0.0 treats samples as switches when their id is 0.
    private readonly int _cpu = writer.AddType(
        new NetTraceEventType(UniversalEventKinds.EventsProvider, 1, "cpu", 0)
        {
            Level = 4,
            Fields = EventFields.Of(("Value", s_number), ("StackEnd", s_number)),
        }
    );
    private readonly int _switch = writer.AddType(
        new NetTraceEventType(UniversalEventKinds.EventsProvider, 2, "cswitch", 0)
        {
            Level = 4,
            Fields = EventFields.Of(("Value", s_number)),
        }
    );

    private readonly int _switchedOut = writer.AddType(
        new NetTraceEventType(UniversalEventKinds.SchedulingProvider, 1, UniversalEventKinds.SwitchedOut, 0)
        {
            Level = 4,
            Fields = EventFields.Of(("How", s_number)),
        }
    );
    private readonly int _readied = writer.AddType(
        new NetTraceEventType(UniversalEventKinds.SchedulingProvider, 2, UniversalEventKinds.ThreadReadied, 0)
        {
            Level = 4,
            Fields = EventFields.Of(("ThreadId", s_number)),
        }
    );

    private readonly BlockBuffer _payload = new(256);
    private readonly Dictionary<int, ProcessMappings> _mappings = [];
    private readonly Dictionary<int, string> _names = [];

    /// <summary>Time of the switch-out of each thread that is switched out.</summary>
    private readonly Dictionary<int, long> _away = [];
    private readonly Dictionary<string, long> _buildIds = [];
    private KernelMapping? _kernel;
    private long _lastMapping;
    private long _lastSymbol;

    /// <inheritdoc />
    public void Begin(long time, RecordedThreads threads, KernelMapping? kernel) => _kernel = kernel;

    /// <inheritdoc />
    public void Process(long time, byte type, ProcessFacts process, int parent, int exitCode)
    {
        if (process.ProcessId == 0)
            return;
        _payload.Clear();
        if (type != KernelEvents.End)
        {
            _payload.Variable((uint)process.ProcessId);
            _payload.SizedText(process.Image);
            _payload.SizedText("");
        }

        Write(
            time,
            type == KernelEvents.End ? _exited
                : type == KernelEvents.Start ? _created
                : _existing,
            process.ProcessId
        );
        if (type == KernelEvents.End || _kernel is not { } kernel)
            return;
        MappingsOf(process.ProcessId).Kernel = Map(
            time,
            process.ProcessId,
            kernel.Start,
            kernel.Start + Math.Min(kernel.Length, ulong.MaxValue - kernel.Start),
            0,
            Kernel,
            0
        );
    }

    /// <inheritdoc />
    public void Thread(long time, int processor, byte type, int process, int thread, string name)
    {
        if (name.Length > 0)
            ThreadName(time, processor, process, thread, name);
        else
            _names.Remove(thread);
        if (type == KernelEvents.End)
            _away.Remove(thread);
    }

    /// <inheritdoc />
    public void ThreadName(long time, int processor, int process, int thread, string name)
    {
        if (_names.GetValueOrDefault(thread, "") == name)
            return;
        _names[thread] = name;
        writer.NameThread(process, thread, name);
    }

    /// <inheritdoc />
    public void Image(
        long time,
        int processor,
        byte type,
        int process,
        ulong start,
        ulong length,
        ulong fileOffset,
        string path,
        string buildId
    )
    {
        if (type == KernelEvents.End)
            MappingsOf(process).Remove(start);
        else
            MappingsOf(process)
                .Add(
                    start,
                    start + length,
                    Map(time, process, start, start + length, fileOffset, path, MetadataOf(time, process, buildId))
                );
    }

    /// <inheritdoc />
    public void Memory(long time, int process, ulong start, ulong length)
    {
        MappingsOf(process).Add(start, start + length, Map(time, process, start, start + length, 0, CodeMemory, 0));
        counts.Images++;
    }

    /// <inheritdoc />
    public void Sample(long time, int processor, int process, int thread, ulong address, ushort stackEnd, ReadOnlySpan<ulong> frames)
    {
        _payload.Clear();
        _payload.Variable(1);
        _payload.Variable(stackEnd);
        writer.Write(
            time,
            _cpu,
            ThreadOf(process, thread),
            processor,
            _payload.Written,
            frames.IsEmpty && process != 0 && address != 0 ? [address] : frames
        );
    }

    /// <inheritdoc />
    public void SwitchedOut(long time, int processor, int process, int thread, byte state, byte reason)
    {
        _away[thread] = time;
        Write(
            time,
            _switchedOut,
            process,
            thread,
            processor,
            state switch
            {
                KernelEvents.Ready => UniversalEventKinds.Preempted,
                KernelEvents.Terminated => UniversalEventKinds.Ended,
                _ => 0UL,
            }
        );
    }

    /// <inheritdoc />
    public void SwitchedIn(long time, int processor, int process, int thread, ReadOnlySpan<ulong> frames)
    {
        _payload.Clear();
        _payload.Variable(_away.Remove(thread, out var since) ? (ulong)Math.Max(time - since, 0) : 0);
        writer.Write(time, _switch, ThreadOf(process, thread), processor, _payload.Written, frames);
    }

    /// <inheritdoc />
    public void ReadyThread(long time, int processor, int byProcess, int byThread, int thread) =>
        Write(time, _readied, byProcess, byThread, processor, (ulong)thread);

    private void Write(long time, int type, int process, int thread, int processor, ulong value)
    {
        _payload.Clear();
        _payload.Variable(value);
        writer.Write(time, type, ThreadOf(process, thread), processor, _payload.Written);
    }

    /// <inheritdoc />
    public void Symbol(long time, int process, bool isKernel, ulong start, ulong last, string name)
    {
        if (isKernel)
            KernelSymbol(time, process, start, last, name);
        else
            Symbol(time, process, start, last, name);
    }

    /// <summary>Writes a name of code outside of the kernel. Unrecorded memory gets a mapping.</summary>
    public void Symbol(long time, int process, ulong start, ulong last, string name)
    {
        const ulong Page = 4096;
        var mappings = MappingsOf(process);
        if (!mappings.TryFind(start, out var mapping))
        {
            var (from, to) = (start & ~(Page - 1), (last | (Page - 1)) + 1);
            mappings.Add(from, to, mapping = Map(time, process, from, to, 0, CodeMemory, 0));
        }

        Symbol(time, process, mapping, start, last, name);
    }

    /// <summary>Writes a name of the kernel's code.</summary>
    /// <returns>False when the kernel's address is unknown.</returns>
    public bool KernelSymbol(long time, int process, ulong start, ulong last, string name)
    {
        if (MappingsOf(process).Kernel is not { } mapping)
            return false;
        Symbol(time, process, mapping, start, last, name);
        return true;
    }

    /// <summary>Index of a thread, with its name.</summary>
    public int ThreadOf(int process, int thread) => writer.ThreadIndex(process, thread, _names.GetValueOrDefault(thread, ""));

    private void Symbol(long time, int process, long mapping, ulong start, ulong last, string name)
    {
        _payload.Clear();
        _payload.Variable((ulong)++_lastSymbol);
        _payload.Variable((ulong)mapping);
        _payload.Variable(start);
        _payload.Variable(last);
        _payload.SizedText(name);
        Write(time, _symbol, process);
        counts.NamedRanges++;
    }

    private long Map(long time, int process, ulong start, ulong end, ulong fileOffset, string path, long metadata)
    {
        _payload.Clear();
        _payload.Variable((ulong)++_lastMapping);
        _payload.Variable(start);
        _payload.Variable(end);
        _payload.Variable(fileOffset);
        _payload.SizedText(path);
        _payload.Variable((ulong)metadata);
        Write(time, _mapping, process);
        return _lastMapping;
    }

    /// <summary>Id of the metadata event with a build id; 0 for none.</summary>
    private long MetadataOf(long time, int process, string buildId)
    {
        if (buildId.Length == 0)
            return 0;
        if (_buildIds.TryGetValue(buildId, out var id))
            return id;
        _buildIds.Add(buildId, id = _buildIds.Count + 1);
        _payload.Clear();
        _payload.Variable((ulong)id);
        _payload.SizedText($$"""{"type":"ELF","build_id":"{{buildId}}"}""");
        _payload.SizedText("");
        Write(time, _metadata, process);
        return id;
    }

    /// <summary>Writes an event of a process itself, on its first thread.</summary>
    private void Write(long time, int type, int process) => writer.Write(time, type, ThreadOf(process, process), 0, _payload.Written);

    private ProcessMappings MappingsOf(int process)
    {
        if (!_mappings.TryGetValue(process, out var mappings))
            _mappings.Add(process, mappings = new ProcessMappings());
        return mappings;
    }

    private static NetTraceEventType Describe(string name, int id, params ReadOnlySpan<(string, byte[])> fields) =>
        new(UniversalEventKinds.SystemProvider, id, name, 0) { Level = 4, Fields = EventFields.Of(fields) };

    /// <summary>Ids of a process's mappings by address.</summary>
    private sealed class ProcessMappings
    {
        private readonly SortedList<ulong, (ulong End, long Id)> _byStart = [];

        /// <summary>Id of the kernel's mapping.</summary>
        public long? Kernel { get; set; }

        public void Add(ulong start, ulong end, long id) => _byStart[start] = (end, id);

        public void Remove(ulong start) => _byStart.Remove(start);

        public bool TryFind(ulong address, out long id)
        {
            var (low, high) = (0, _byStart.Count);
            while (low < high)
            {
                var middle = (low + high) / 2;
                (low, high) = _byStart.Keys[middle] <= address ? (middle + 1, high) : (low, middle);
            }

            id = low == 0 ? 0 : _byStart.Values[low - 1].Id;
            return low > 0 && _byStart.Values[low - 1].End > address;
        }
    }
}
