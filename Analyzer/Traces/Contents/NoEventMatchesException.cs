namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>A query for events that are not in the trace; the message lists what is.</summary>
public sealed class NoEventMatchesException(string message) : Exception(message);
