namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Progress of a recording.</summary>
/// <param name="RunsDone">Number of completed runs; 0 when the program marks none.</param>
/// <param name="RunsPlanned">Number of planned runs; 0 when unknown.</param>
/// <param name="Elapsed">Time since the start of the command.</param>
/// <param name="Bytes">Bytes of trace written.</param>
/// <param name="Note">Immediate message for the user; empty for none.</param>
public readonly record struct RecordingProgress(int RunsDone, int RunsPlanned, TimeSpan Elapsed, long Bytes, string Note)
{
    /// <summary>Load of the user's own program since the last report; null for the suite, and when unknown.</summary>
    public ProcessLoad? Load { get; init; }
}
