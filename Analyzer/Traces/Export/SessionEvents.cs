using EtwSerializerProfiler.Traces.NetTrace;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Copies the events of EventPipe sessions into a .nettrace file of format 6, in order of time. A session's file is opened when its time is
/// reached.
/// </summary>
/// <param name="writer">Receives them.</param>
/// <param name="counts">Counts them.</param>
/// <param name="startTicks">Start of the trace; earlier events get this time.</param>
internal sealed class SessionEvents(NetTraceEventWriter writer, ExportCounts counts, long startTicks) : IDisposable
{
    /// <summary>TraceEvent stores the size of a payload in 16 bits.</summary>
    private const int MaxPayload = ushort.MaxValue;

    private readonly long _startTicks = startTicks;
    private readonly PriorityQueue<Session, long> _waiting = new();
    private readonly List<Session> _all = [];

    /// <summary>Ids by event kind; sessions with the same description of a kind share an id.</summary>
    private readonly Dictionary<NetTraceEventType, int> _types = [];

    /// <summary>Adds a session.</summary>
    /// <param name="source">Its file.</param>
    /// <param name="processId">Its process.</param>
    /// <param name="repeated">Event kinds of earlier sessions of the process.</param>
    /// <param name="methods">Receives the methods, after each event, so that the event precedes the symbol.</param>
    public void Add(NetTraceSource source, int processId, IReadOnlySet<(Guid Provider, int Id)> repeated, MethodSymbols methods)
    {
        var session = new Session(source, processId, repeated, EventHub.Of(methods, source.Kinds));
        _all.Add(session);
        _waiting.Enqueue(session, source.Clock.OriginTicks);
    }

    /// <summary>Writes the events up to a time.</summary>
    /// <exception cref="IOException">A file cannot be read, or the disk is full.</exception>
    public void WriteUntil(long time)
    {
        while (_waiting.TryPeek(out var session, out var next) && next <= time)
        {
            _waiting.Dequeue();
            var limit = _waiting.TryPeek(out _, out var other) ? Math.Min(time, other) : time;
            if (!session.IsOpen && !session.TryRead())
                continue;
            while (session.Time <= limit)
            {
                Write(session);
                if (!session.TryRead())
                    break;
            }

            if (session.IsOpen)
                _waiting.Enqueue(session, session.Time);
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        foreach (var session in _all)
            session.Dispose();
    }

    private void Write(Session session)
    {
        var item = session.Current;
        if (session.Repeated.Contains(RuntimeEventKind.Of(item.Type)) && !RuntimeEventKind.IsOfSession(item.Type))
            counts.RepeatedEvents++;
        else if (TryWrite(item, item.ProcessId > 0 ? item.ProcessId : session.ProcessId))
            session.Methods.OnEvent(item);
    }

    /// <summary>Writes an event of a process.</summary>
    /// <returns>False when it is too large.</returns>
    public bool TryWrite(in NetTraceEvent item, int process)
    {
        if (item.Payload.Length > MaxPayload)
        {
            counts.TooLarge++;
            return false;
        }

        if (!_types.TryGetValue(item.Type, out var type))
            _types.Add(item.Type, type = writer.AddType(item.Type));
        var time = Math.Max(item.Time, _startTicks);
        writer.Write(
            time,
            type,
            writer.ThreadIndex(process, item.ThreadId),
            item.Processor,
            item.Payload,
            item.Stack,
            item.ActivityId,
            item.RelatedActivityId
        );
        counts.RuntimeEvents++;
        if (item.Labels is { HasContents: true })
            counts.LabelsLeftOut++;
        return true;
    }

    private sealed class Session(NetTraceSource source, int processId, IReadOnlySet<(Guid Provider, int Id)> repeated, EventHub methods)
        : IDisposable
    {
        private NetTraceReader? _reader;

        public int ProcessId => processId;

        public IReadOnlySet<(Guid Provider, int Id)> Repeated => repeated;

        public NetTraceDispatcher Methods { get; } = new(methods, source.PointerBytes);

        public bool IsOpen => _reader is not null;

        /// <summary>Time of the event that was read.</summary>
        public long Time { get; private set; }

        public NetTraceEvent Current => _reader!.Current;

        /// <summary>Reads the next event; closes the file at its end.</summary>
        public bool TryRead()
        {
            _reader ??= source.OpenReader();
            if (_reader.TryRead(out var item))
            {
                Time = item.Time;
                return true;
            }

            Dispose();
            return false;
        }

        public void Dispose()
        {
            _reader?.Dispose();
            _reader = null;
        }
    }
}
