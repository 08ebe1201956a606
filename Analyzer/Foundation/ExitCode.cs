namespace EtwSerializerProfiler.Foundation;

/// <summary>Exit codes of both tools; a number means the same wherever it is returned.</summary>
public static class ExitCode
{
    /// <summary>Done. A damaged file was read up to the damage.</summary>
    public const int Done = 0;

    /// <summary>The recorded program or a check failed, a gate was violated, a recording lost data because its files could not be written, or the tool itself failed.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;

    /// <summary>Nothing in the input can be read.</summary>
    public const int Unreadable = 3;

    /// <summary>Not permitted, or something is missing; the message says what to do.</summary>
    public const int NotPossible = 4;

    /// <summary>A gate could not judge: too few runs, or losses.</summary>
    public const int NotJudged = 5;

    /// <summary>Interrupted.</summary>
    public const int Interrupted = 130;
}
