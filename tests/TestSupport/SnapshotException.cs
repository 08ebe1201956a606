namespace EtwSerializerProfiler.TestSupport;

/// <summary>An output differs from its snapshot.</summary>
public sealed class SnapshotException(string message) : Exception(message);
