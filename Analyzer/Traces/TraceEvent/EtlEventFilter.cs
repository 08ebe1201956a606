using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Whether an event is wanted. Called on a thread other than the one that processes the events.</summary>
internal delegate bool EtlEventFilter(in EtlEvent item);
