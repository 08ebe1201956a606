using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// First pass over a trace of a machine: finds processes and threads, and which of them existed at the start; Windows lists those when a
/// session begins.
/// </summary>
internal sealed class RecordedThreads
{
    /// <summary>PATH_MAX; names of threads are shorter.</summary>
    private const int MaxPathBytes = 4096;

    /// <summary>Bytes of the other fields of an event with a path: five numbers and a text length.</summary>
    private const int MaxNumberBytes = 5 * 10 + 2 * sizeof(ushort);

    /// <summary>Threads whose start was recorded.</summary>
    private readonly HashSet<int> _known = [];
    private readonly EndedThreads _ended = new();

    /// <summary>Processes whose start is in a .nettrace file, which has no thread starts.</summary>
    private readonly HashSet<int> _created = [];
    private long _samples;
    private long _sampledTicks;
    private long _firstInterval;

    /// <summary>Threads that existed at the start, by process.</summary>
    public SortedDictionary<int, List<int>> Listed { get; } = [];

    /// <summary>Last name of the first thread of each process.</summary>
    public Dictionary<int, string> Names { get; } = [];

    /// <summary>Parent of each process whose start was recorded.</summary>
    public Dictionary<int, int> Parents { get; } = [];

    /// <summary>Thread names of a .nettrace file by process and thread; perf.data has them as records.</summary>
    public IReadOnlyDictionary<(int ProcessId, int ThreadId), string> ThreadNames { get; set; } = new Dictionary<(int, int), string>();

    /// <summary>Last time at which a thread of each process ran, for a .nettrace file.</summary>
    public Dictionary<int, long> LastSeen { get; } = [];

    /// <summary>Highest processor number.</summary>
    public int LastProcessor { get; private set; }

    /// <summary>Mean interval of the CPU samples in ns; 0 when there are none.</summary>
    public long SampleInterval => _samples == 0 ? 0 : _sampledTicks / _samples;

    /// <summary>Whether sample intervals differ; Windows has one interval for all.</summary>
    public bool HasOtherIntervals { get; private set; }

    /// <summary>
    /// Whether a record has values that are impossible on Linux and do not fit an .etl: an invalid processor, a name or path longer than
    /// <see cref="MaxPathBytes"/>.
    /// </summary>
    public static bool IsDamaged(in PerfRecord record) =>
        record.Origin.Cpu is < -1 or > EtlWriter.MaxProcessor
        || (record.TryReadComm(out _, out _, out var name) && name.Length > MaxPathBytes)
        || (record.TryReadMapping(out var mapping) && mapping.Path.Length > MaxPathBytes);

    /// <summary>Adds a record.</summary>
    public void Read(in PerfRecord record)
    {
        if (IsDamaged(record))
            return;
        _ended.Read(record);
        if (record.TryReadTask(out var task))
        {
            if (record.Type == PerfRecordType.Exit)
                List(task.ProcessId, task.ThreadId);
            else if (_known.Add(task.ThreadId) && task.ProcessId != task.ParentProcessId)
                Parents[task.ProcessId] = task.ParentProcessId;
        }
        else if (record.TryReadComm(out var process, out var thread, out var name))
        {
            List(process, thread);
            if (process == thread)
                Names[process] = Encoding.UTF8.GetString(name);
        }
        else if (record.Type is PerfRecordType.Sample or PerfRecordType.Switch or PerfRecordType.SwitchCpuWide)
        {
            var origin = record.Origin;
            LastProcessor = Math.Max(LastProcessor, origin.Cpu);
            var isCpuSample = record.Type == PerfRecordType.Sample && record.Event.SamplesCpuTime;
            List(origin.ProcessId, isCpuSample ? _ended.ThreadOf(origin) : origin.ThreadId);
            if (isCpuSample && record.TryReadSample(out var sample))
                AddInterval(sample.CpuTicks);
        }
    }

    /// <summary>
    /// Whether an event has values that are impossible on Linux and do not fit an .etl: an invalid processor, a name or path longer than
    /// <see cref="MaxPathBytes"/>.
    /// </summary>
    public static bool IsDamaged(in NetTraceEvent item) =>
        item.Processor > EtlWriter.MaxProcessor
        || (
            item.Type.Universal is UniversalEventKind.Process or UniversalEventKind.Mapping
            && item.Payload.Length > MaxPathBytes + MaxNumberBytes
        );

    /// <summary>Adds an event of a machine-wide .nettrace file.</summary>
    /// <param name="item">The event.</param>
    /// <param name="trace">Its trace.</param>
    public void Read(in NetTraceEvent item, UniversalTrace trace)
    {
        if (IsDamaged(item))
            return;
        switch (item.Type.Universal)
        {
            case UniversalEventKind.Process when UniversalPayload.TryReadProcessName(item.Payload, out var name):
                Names[item.ProcessId] = name;
                if (item.Type.Name == UniversalEventKinds.ProcessCreated)
                    _created.Add(item.ProcessId);
                else
                    List(item.ProcessId, item.ProcessId);
                break;
            case UniversalEventKind.CpuSample or UniversalEventKind.ContextSwitch or UniversalEventKind.SwitchedOut:
                LastProcessor = Math.Max(LastProcessor, item.Processor);
                if (!_created.Contains(item.ProcessId))
                    List(item.ProcessId, item.ThreadId);
                var value = UniversalPayload.ReadValue(item.Payload);
                if (item.Type.Universal == UniversalEventKind.CpuSample)
                    AddInterval(value * trace.SampleTicks);
                var seen = item.Type.Universal == UniversalEventKind.ContextSwitch && trace.SwitchesAreOut ? item.Time + value : item.Time;
                LastSeen[item.ProcessId] = Math.Max(LastSeen.GetValueOrDefault(item.ProcessId), seen);
                break;
        }
    }

    private void AddInterval(long ticks)
    {
        if (_samples++ == 0)
            _firstInterval = ticks;
        _sampledTicks += ticks;
        HasOtherIntervals |= ticks != _firstInterval;
    }

    /// <summary>
    /// Adds a thread: if its start was not recorded, it existed before. 0 is idle; negative ids are those of ended threads.
    /// </summary>
    private void List(int process, int thread)
    {
        if (process <= 0 || thread <= 0 || !_known.Add(thread))
            return;
        if (!Listed.TryGetValue(process, out var threads))
            Listed.Add(process, threads = []);
        threads.Add(thread);
    }
}
