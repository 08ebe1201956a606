using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>A readable trace: a file, or events made by a test. It can be read any number of times.</summary>
public interface ITraceSource
{
    /// <summary>Displayed name: the path of the file.</summary>
    string Name { get; }

    /// <summary>Clock of the events' times.</summary>
    TraceClock Clock { get; }

    /// <summary>Process of the trace; 0 for several or unknown.</summary>
    int ProcessId { get; }

    /// <summary>Kinds of events that the source provides.</summary>
    EventKinds Kinds { get; }

    /// <summary>Details that it records with them.</summary>
    EventDetails Details { get; }

    /// <summary>Reads from start to end and publishes each event that <paramref name="hub"/> wants.</summary>
    /// <exception cref="IOException">The file became unreadable.</exception>
    TraceReadResult Read(EventHub hub);
}
