using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Contents;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Runs;

/// <summary>The kinds of events in one trace that delimit runs.</summary>
internal sealed class RunEventSelection
{
    private readonly RunEvents _events;
    private readonly string? _name;

    private RunEventSelection(RunEvents events, IEnumerable<EventCount> kinds)
    {
        _events = events;
        var chosen = kinds.ToList();
        _name = events.Named?.Begin ?? chosen.Select(kind => EventPairs.EdgeOf(kind.EventName)?.Task).FirstOrDefault();
        Query = new EventQuery
        {
            Provider = NamePattern.ExactPrefix + chosen[0].ProviderName,
            Events = [.. chosen.Select(kind => NamePattern.ExactPrefix + kind.EventName).Distinct()],
        };
        Kinds = [.. chosen.Select(kind => new RunEventKind(kind.Provider, kind.Id ?? 0, kind.Version, IsStart(kind.EventName)))];
    }

    /// <summary>Kinds of the events that start or end a run.</summary>
    public IReadOnlyList<RunEventKind> Kinds { get; }

    /// <summary>Selects events of these kinds from the trace.</summary>
    public EventQuery Query { get; }

    /// <summary>Selects the kinds among those of a trace; null when the trace has no such event.</summary>
    public static RunEventSelection? Of(RunEvents events, TraceContents contents)
    {
        var provider = events.IsActivity ? RequestProvider.Name : events.Provider;
        var kinds = contents
            .Kinds.Where(kind =>
                !kind.IsClassic
                && string.Equals(kind.ProviderName, provider, StringComparison.OrdinalIgnoreCase)
                && IsMeant(events, kind.EventName)
            )
            .ToList();
        return kinds.Count > 0 ? new RunEventSelection(events, kinds) : null;
    }

    /// <summary>Whether an event starts or ends a run; null when it does neither.</summary>
    public RunEdge? EdgeOf(DecodedEvent item)
    {
        if (_events.IsActivity)
            return ActivityEvent.Read(item) is { } activity && IsMeant(activity)
                ? Edge(item, activity.IsStart, activity.Id, EventRunReader.NameOf(activity.Operation, activity.DisplayName))
                : null;
        var isStart = IsStart(item.Event);
        return Edge(
            item,
            isStart,
            "",
            isStart ? EventRunReader.NameOf(_name!, item.Fields.Select(field => field.Value).OfType<string>().FirstOrDefault()) : ""
        );
    }

    private bool IsStart(string name) =>
        _events.Named is var (begin, _) ? EventPairs.IsNamed(begin, name) : EventPairs.EdgeOf(name) is (_, true);

    private static RunEdge Edge(DecodedEvent item, bool isStart, string id, string name) =>
        new(
            isStart,
            item.Ticks,
            item.ProcessId,
            item.ThreadId,
            id.Length > 0 ? id
                : item.ActivityId == Guid.Empty ? ""
                : item.ActivityId.ToString(),
            name
        );

    private static bool IsMeant(RunEvents events, string name) =>
        events.Named is var (begin, end)
            ? EventPairs.IsNamed(begin, name) || EventPairs.IsNamed(end, name)
            : EventPairs.EdgeOf(name) is var (task, _)
                && (events.IsActivity || string.Equals(task, events.Task, StringComparison.OrdinalIgnoreCase));

    private bool IsMeant(ActivityEvent activity) =>
        (_events.Provider.Length == 0 || string.Equals(activity.Source, _events.Provider, StringComparison.OrdinalIgnoreCase))
        && string.Equals(activity.Operation, _events.Task, StringComparison.OrdinalIgnoreCase);
}
