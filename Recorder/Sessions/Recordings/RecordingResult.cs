using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>A finished recording.</summary>
/// <param name="Folder">Its folder.</param>
/// <param name="Recording">The content of its recording.json.</param>
/// <param name="ExitCode">Exit code of the command; null when it had to be killed.</param>
public sealed record RecordingResult(string Folder, Recording Recording, int? ExitCode)
{
    /// <summary>Whether data was lost because a file could not be written completely.</summary>
    public bool CouldNotWrite { get; init; }

    /// <summary>Whether nothing useful was recorded and the folder was restored: <see cref="Recording"/> then has no file.</summary>
    public bool IsRemoved { get; init; }

    /// <summary>State of the folder when no process was recorded, as a sentence; empty when one was.</summary>
    public string Outcome { get; init; } = "";
}
