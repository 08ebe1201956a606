namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An event of a trace.</summary>
public interface ITraceEvent
{
    /// <summary>Its kind.</summary>
    static abstract EventKinds Kind { get; }

    /// <summary>
    /// Whether this event shows that a source without further information has the kind. False for events that other keywords also enable,
    /// or that follow from one that shows the kind.
    /// </summary>
    static virtual bool ShowsKind => false;
}
