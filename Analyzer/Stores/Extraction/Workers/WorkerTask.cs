namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>Something a worker is to do: each is a line on its standard input.</summary>
/// <param name="Number">Number of the trace, which the replies bear.</param>
/// <param name="Unit">The trace.</param>
/// <param name="Content">Its content, to be extracted; null to find that out.</param>
public sealed record WorkerTask(int Number, TraceUnit Unit, TraceContent? Content);
