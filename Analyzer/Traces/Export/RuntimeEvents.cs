using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes the events of EventPipe sessions as events of their providers: id, version, level, keywords, opcode, task, activities, payload
/// and stack. EventPipe and ETW have the same payloads. An event that two sessions of a process recorded is written once, from the first
/// session that has its kind, as reports read it.
/// </summary>
/// <param name="writer">Receives them.</param>
/// <param name="counts">Counts them.</param>
/// <param name="processors">Processors of the machine.</param>
/// <param name="startTicks">Start of the trace; earlier events get this time.</param>
internal sealed class RuntimeEvents(EtlWriter writer, ExportCounts counts, int processors, long startTicks)
{
    private readonly long _startTicks = startTicks;
    private readonly byte[] _extended = new byte[32 << 10];

    /// <summary>Opcodes and tasks by kind of event.</summary>
    private readonly Dictionary<NetTraceEventType, EventDescription> _descriptions = [];

    /// <summary>Event kinds of earlier sessions of the process, and of this one.</summary>
    private HashSet<(Guid Provider, int Id)> _earlier = [];
    private HashSet<(Guid Provider, int Id)> _here = [];
    private int _processId;
    private int _pointerBytes = sizeof(ulong);

    /// <summary>Time of the last event.</summary>
    public long LastTime { get; private set; } = startTicks;

    /// <summary>Starts a new process.</summary>
    public void BeginProcess(int processId)
    {
        _processId = processId;
        _earlier = [];
    }

    /// <summary>Writes the events of the process's next session.</summary>
    /// <param name="source">The session.</param>
    /// <param name="subscriber">Receives the events it subscribed to in the same pass.</param>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    public TraceReadResult Write(NetTraceSource source, IEventSubscriber subscriber)
    {
        _here = [];
        _pointerBytes = source.PointerBytes;
        var result = source.Read(EventHub.Of(subscriber, source.Kinds), Write);
        _earlier.UnionWith(_here);

        // Events that follow in the file have an earlier time, and a buffer holds events in order.
        writer.Flush();
        return result;
    }

    public void Write(in NetTraceEvent item)
    {
        var (provider, id) = (item.Type.Provider, item.Type.EventId);
        var kind = RuntimeEventKind.Of(item.Type);
        if (_earlier.Contains(kind) && !RuntimeEventKind.IsOfSession(item.Type))
        {
            counts.RepeatedEvents++;
            return;
        }

        _here.Add(kind);
        var extended = Extended(item);
        if (extended.Length + item.Payload.Length + HeaderBytes > writer.MaxRecordSize)
        {
            counts.TooLarge++;
            return;
        }

        var time = Math.Max(item.Time, _startTicks);
        LastTime = Math.Max(LastTime, time);
        counts.RuntimeEvents++;
        if (item.Labels is { HasContents: true })
            counts.LabelsLeftOut++;
        var (_, opcode, task) = Describe(item.Type);
        writer.Write(
            new EtlEventFields
            {
                HeaderType = _pointerBytes == 8 ? EtlHeaderType.Event64 : EtlHeaderType.Event32,
                Timestamp = time,
                Processor = item.Processor is var processor && processor >= 0 && processor < processors ? processor : 0,
                ProcessId = item.ProcessId > 0 ? item.ProcessId : _processId,
                ThreadId = item.ThreadId,
                ProviderId = provider,
                Id = (ushort)id,
                Version = (byte)item.Type.Version,
                Level = (byte)item.Type.Level,
                Opcode = (byte)opcode,
                Task = (ushort)task,
                Keywords = (ulong)item.Type.Keywords,
                ActivityId = item.ActivityId,
            },
            item.Payload,
            extended
        );
    }

    private const int HeaderBytes = 80;

    private EventDescription Describe(NetTraceEventType type)
    {
        if (!_descriptions.TryGetValue(type, out var description))
            _descriptions.Add(type, description = EventDescriptions.Of([type])[0]);
        return description;
    }

    /// <summary>The event's stack and related activity; without the stack if it does not fit.</summary>
    private ReadOnlySpan<byte> Extended(in NetTraceEvent item)
    {
        var items = new EtlExtendedItemWriter(_extended);
        if (item.RelatedActivityId != Guid.Empty)
            item.RelatedActivityId.TryWriteBytes(items.Add(EtlExtendedType.RelatedActivityId, 16));
        if (item.Stack.IsEmpty)
            return items.Written;
        var bytes = EtlExtendedItemWriter.SizeOf(8 + 8 * item.Stack.Length);
        if (
            bytes > _extended.Length - items.Written.Length
            || HeaderBytes + items.Written.Length + bytes + item.Payload.Length > writer.MaxRecordSize
        )
        {
            counts.StacksTooLarge++;
            return items.Written;
        }

        items.AddStack(0, item.Stack);
        return items.Written;
    }
}
