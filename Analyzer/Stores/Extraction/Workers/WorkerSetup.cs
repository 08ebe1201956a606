namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>The first line that a worker gets: where rows go, and what is asked for.</summary>
/// <param name="Store">Address of the store.</param>
/// <param name="Options">What is asked for.</param>
public sealed record WorkerSetup(string Store, ExtractOptions Options);
