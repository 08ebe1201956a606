namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>A worker process ended without an answer.</summary>
/// <param name="reason">How, in words.</param>
internal sealed class WorkerEndedException(string reason) : Exception(reason);
