namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An event of a trace.</summary>
public interface ITraceEvent
{
    /// <summary>The kind it belongs to: one.</summary>
    static abstract EventKinds Kind { get; }

    /// <summary>
    /// Whether a source of which nothing else is known has events of the kind when it has this one. False for events that other keywords bring too, or that follow from one which shows the
    /// kind.
    /// </summary>
    static virtual bool ShowsKind => false;
}
