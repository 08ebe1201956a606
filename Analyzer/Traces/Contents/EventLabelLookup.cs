using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>
/// Finds labels for events that TraceEvent decodes. TraceEvent provides only activities, so our own reader reads the file in parallel: both
/// deliver a file's events in time order. Events at the same time are distinguished by thread, provider and size; the events of a thread
/// keep their order.
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
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static EventLabelLookup? Open(NetTraceLayout layout) =>
        layout.Blocks.Any(block => block.Kind == NetTraceBlockKind.LabelList) ? new EventLabelLookup(layout) : null;

    /// <summary>Labels of an event; null for none. Call it for each event of the file in order.</summary>
    /// <exception cref="IOException">The file became unreadable.</exception>
    public EventLabels? Find(TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        Advance(data.TimeStampQPC);
#pragma warning restore CS0618
        var index = _sameTime.FindIndex(item =>
            item.ThreadId == data.ThreadID
            && item.ProcessId == data.ProcessID
            && item.Provider == data.ProviderGuid
            && item.PayloadBytes == data.EventDataLength
        );
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
