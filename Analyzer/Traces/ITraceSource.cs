using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Something that can be read as a trace: a file, or events made by a test. It can be read any number of times.</summary>
public interface ITraceSource
{
    /// <summary>Name for people: the path of the file.</summary>
    string Name { get; }

    /// <summary>Clock of the events' times.</summary>
    TraceClock Clock { get; }

    /// <summary>Process that was traced, 0 for several or unknown.</summary>
    int ProcessId { get; }

    /// <summary>Kinds of events the source can give.</summary>
    EventKinds Kinds { get; }

    /// <summary>What it records with them.</summary>
    EventDetails Details { get; }

    /// <summary>Reads from begin to end and publishes each event that <paramref name="hub"/> wants.</summary>
    /// <exception cref="IOException">The file cannot be read any more.</exception>
    TraceReadResult Read(EventHub hub);
}
