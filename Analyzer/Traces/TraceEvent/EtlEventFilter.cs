using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Says whether an event is wanted. Called on another thread than the one that processes the events.</summary>
internal delegate bool EtlEventFilter(in EtlEvent item);
