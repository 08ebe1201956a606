using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>A finished recording.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Recording">What stands in its recording.json.</param>
/// <param name="ExitCode">Exit code of the command, null when it had to be ended.</param>
public sealed record RecordingResult(string Folder, Recording Recording, int? ExitCode)
{
    /// <summary>Whether data was lost because a file of the recording could not be written to its end.</summary>
    public bool CouldNotWrite { get; init; }
}
