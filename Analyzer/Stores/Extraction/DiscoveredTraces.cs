namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What paths name.</summary>
/// <param name="Units">Traces, each once, in the order of their paths (ordinal).</param>
/// <param name="OtherFiles">Files that are no traces and were passed over.</param>
/// <param name="OtherFolders">Folders that are no recordings and were not searched.</param>
/// <param name="Problems">Folders that could not be listed, a sentence each.</param>
public sealed record DiscoveredTraces(IReadOnlyList<TraceUnit> Units, int OtherFiles, int OtherFolders, IReadOnlyList<string> Problems);
