namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>How far an extract is.</summary>
/// <param name="TracesDone">Traces that are done.</param>
/// <param name="Traces">Traces there are.</param>
/// <param name="BytesDone">Bytes done, in proportion of those that are under way.</param>
/// <param name="Bytes">Bytes there are to do; those of traces that turn out to be in the store are taken off.</param>
public sealed record ExtractProgress(int TracesDone, int Traces, long BytesDone, long Bytes);
