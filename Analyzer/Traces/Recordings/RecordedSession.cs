namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A session that was started in a process.</summary>
/// <param name="Name">Name of the planned session.</param>
/// <param name="File">File name in the recording's folder, empty when the session could not be started.</param>
/// <param name="Bytes">Size of the file.</param>
/// <param name="Error">Why it was not started or ended early, empty when all went well.</param>
public sealed record RecordedSession(string Name, string File, long Bytes, string Error);
