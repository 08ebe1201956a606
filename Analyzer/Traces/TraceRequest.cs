namespace EtwSerializerProfiler.Traces;

/// <summary>Who wants to hear what of a source.</summary>
/// <param name="Source">The source.</param>
/// <param name="Visitor">Receives the events.</param>
/// <param name="Wanted">Kinds of events it is to receive.</param>
public readonly record struct TraceRequest(ITraceSource Source, TraceVisitor Visitor, TraceCapabilities Wanted);
