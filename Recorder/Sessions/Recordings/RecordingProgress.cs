namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>How far a recording has come.</summary>
/// <param name="RunsDone">Runs that have ended, 0 when the program marks none.</param>
/// <param name="RunsPlanned">Runs the program plans, 0 when it does not say.</param>
/// <param name="Elapsed">Time since the start of the command.</param>
/// <param name="Bytes">Bytes of trace written.</param>
/// <param name="Note">Something the user should know at once, empty for none.</param>
public readonly record struct RecordingProgress(int RunsDone, int RunsPlanned, TimeSpan Elapsed, long Bytes, string Note);
