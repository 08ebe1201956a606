using EtwSerializerProfiler.Traces.NetTrace;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>
/// Finds the labels of the events that TraceEvent decodes. TraceEvent gives out activities only, so our own reader reads the file beside it: both give the events of a file in order of time.
/// Events of one time are told apart by thread, provider and size; the events of a thread keep their order.
/// </summary>
internal sealed class EventLabelLookup : IDisposable
{
    private readonly NetTraceReader _reader;
    private readonly List<Candidate> _sameTime = [];
    private bool _hasNext;

    private EventLabelLookup(NetTraceLayout layout)
    {
        _reader = new NetTraceReader(layout);
        _hasNext = _reader.TryRead(out _);
    }

    /// <summary>Opens the file; null when it has no labels.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static EventLabelLookup? Open(NetTraceLayout layout) => layout.Blocks.Any(block => block.Kind == NetTraceBlockKind.LabelList) ? new EventLabelLookup(layout) : null;

    /// <summary>Labels of an event; null for none. Call it for each event of the file in their order.</summary>
    /// <exception cref="IOException">The file cannot be read any more.</exception>
    public EventLabels? Find(TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        Advance(data.TimeStampQPC);
#pragma warning restore CS0618
        var index = _sameTime.FindIndex(item => item.ThreadId == data.ThreadID && item.ProcessId == data.ProcessID && item.Provider == data.ProviderGuid && item.PayloadBytes == data.EventDataLength);
        if (index < 0)
            return null;
        var labels = _sameTime[index].Labels;
        _sameTime.RemoveAt(index);
        return labels;
    }

    /// <inheritdoc />
    public void Dispose() => _reader.Dispose();

    private void Advance(long time)
    {
        if (_sameTime.Count > 0 && _sameTime[0].Time < time)
            _sameTime.Clear();
        for (; _hasNext && _reader.Current.Time <= time; _hasNext = _reader.TryRead(out _))
        {
            var item = _reader.Current;
            if (item.Time == time)
                _sameTime.Add(new Candidate(time, item.ProcessId, item.ThreadId, item.Type.Provider, item.Payload.Length, item.Labels));
        }
    }

    private readonly record struct Candidate(long Time, int ProcessId, int ThreadId, Guid Provider, int PayloadBytes, EventLabels? Labels);
}
