namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Exit codes of esp-record; the same numbers as esp-analyze.</summary>
internal static class ExitCode
{
    /// <summary>Done.</summary>
    public const int Done = 0;

    /// <summary>The recorded program, or a check in it, failed; or the recording lost data because its files could not be written.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;

    /// <summary>What was recorded cannot be read.</summary>
    public const int Unreadable = 3;

    /// <summary>Not permitted, or something is missing; the message says what to do.</summary>
    public const int NotPossible = 4;

    /// <summary>Interrupted; the partial recording is kept and named.</summary>
    public const int Interrupted = 130;
}
