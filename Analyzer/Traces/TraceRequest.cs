using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces;

/// <summary>Who is to hear what of a source.</summary>
/// <param name="Source">The source.</param>
/// <param name="Subscriber">Receives the events; null to learn about the source itself only.</param>
/// <param name="Kinds">Kinds of events it is to hear from this source.</param>
public readonly record struct TraceRequest(ITraceSource Source, IEventSubscriber? Subscriber, EventKinds Kinds = EventKinds.All);
