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

    /// <summary>Whether nothing of use was recorded and the folder is as it was before: <see cref="Recording"/> has no file.</summary>
    public bool IsRemoved { get; init; }

    /// <summary>What became of the folder when no process was recorded, for people; empty when one was.</summary>
    public string Outcome { get; init; } = "";
}
