using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Writes the events of EventPipe sessions as events of their providers: id, version, level, keywords, opcode, task, activities, payload and stack. EventPipe and ETW carry the
/// same payloads. An event that two sessions of a process recorded is written once, from the first session that has its kind, as reports read it.
/// </summary>
/// <param name="writer">Receives them.</param>
/// <param name="counts">Counts them.</param>
/// <param name="processors">Processors of the machine.</param>
/// <param name="startTicks">Begin of the trace: earlier events are written at it.</param>
internal sealed class RuntimeEvents(EtlWriter writer, ExportCounts counts, int processors, long startTicks)
{
    /// <summary>Names of types: a session tells those that its own events need.</summary>
    private const int BulkType = 15;
    private const int MethodDetails = 72;

    // A method is told by one of two events, as the session's level says.
    private const int MethodLoad = 141;
    private const int MethodUnload = 142;
    private const int VerboseByTerse = 2;

    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

    private readonly long _startTicks = startTicks;
    private readonly byte[] _extended = new byte[32 << 10];
    private ulong[] _widened = [];

    /// <summary>Kinds of events that earlier sessions of the process have, and those of this one.</summary>
    private HashSet<(Guid Provider, int Id)> _earlier = [];
    private HashSet<(Guid Provider, int Id)> _here = [];
    private int _processId;

    /// <summary>Time of the last event.</summary>
    public long LastTime { get; private set; } = startTicks;

    /// <summary>A new process: none of its sessions has been written.</summary>
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
        var result = source.Read(EventHub.Of(subscriber, source.Kinds), Write);
        _earlier.UnionWith(_here);

        // What follows in the file is of another time: a buffer holds events in their order.
        writer.Flush();
        return result;
    }

    private unsafe void Write(TraceEvent data)
    {
        var provider = data.ProviderGuid;
        var id = (int)EventRecordStack.IdOf(data);
        var kind = (provider, provider == s_runtime && id is MethodLoad or MethodUnload ? id + VerboseByTerse : id);
        if (_earlier.Contains(kind) && !(provider == s_runtime && id is BulkType or MethodDetails))
        {
            counts.RepeatedEvents++;
            return;
        }

        _here.Add(kind);
        var payload = new ReadOnlySpan<byte>((void*)data.DataStart, data.EventDataLength);
        var extended = Extended(data, payload.Length);
        if (extended.Length + payload.Length + HeaderBytes > writer.MaxRecordSize)
        {
            counts.TooLarge++;
            return;
        }

#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        var time = Math.Max(data.TimeStampQPC, _startTicks);
#pragma warning restore CS0618
        LastTime = Math.Max(LastTime, time);
        counts.RuntimeEvents++;
        writer.Write(
            new EtlEventFields
            {
                HeaderType = data.PointerSize == 8 ? EtlHeaderType.Event64 : EtlHeaderType.Event32,
                Timestamp = time,
                Processor = data.ProcessorNumber is var processor && processor >= 0 && processor < processors ? processor : 0,
                ProcessId = data.ProcessID > 0 ? data.ProcessID : _processId,
                ThreadId = data.ThreadID,
                ProviderId = provider,
                Id = (ushort)id,
                Version = (byte)data.Version,
                Level = (byte)data.Level,
                Opcode = (byte)data.Opcode,
                Task = (ushort)data.Task,
                Keywords = (ulong)data.Keywords,
                ActivityId = data.ActivityID,
            },
            payload, extended);
    }

    private const int HeaderBytes = 80;

    /// <summary>The event's stack and related activity; without the stack where that does not fit.</summary>
    private ReadOnlySpan<byte> Extended(TraceEvent data, int payloadBytes)
    {
        var items = new EtlExtendedItemWriter(_extended);
        if (data.RelatedActivityID is var related && related != Guid.Empty)
            related.TryWriteBytes(items.Add(EtlExtendedType.RelatedActivityId, 16));
        var stack = EventRecordStack.Read(data, ref _widened);
        if (stack.IsEmpty)
            return items.Written;
        var bytes = EtlExtendedItemWriter.SizeOf(8 + 8 * stack.Length);
        if (bytes > _extended.Length - items.Written.Length || HeaderBytes + items.Written.Length + bytes + payloadBytes > writer.MaxRecordSize)
        {
            counts.StacksTooLarge++;
            return items.Written;
        }

        items.AddStack(0, stack);
        return items.Written;
    }
}
