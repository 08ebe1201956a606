namespace EtwSerializerProfiler.Foundation;

/// <summary>Exit codes of both tools.</summary>
public static class ExitCode
{
    /// <summary>Success. A damaged file was read up to the damage.</summary>
    public const int Done = 0;

    /// <summary>
    /// The recorded program or a check failed, a gate was violated, a recording lost data because its files could not be written, or the
    /// tool itself failed.
    /// </summary>
    public const int Failed = 1;

    /// <summary>The command line is invalid.</summary>
    public const int Usage = 2;

    /// <summary>Nothing in the input is readable.</summary>
    public const int Unreadable = 3;

    /// <summary>Not permitted, or a prerequisite is missing; the message has the fix.</summary>
    public const int NotPossible = 4;

    /// <summary>A gate had too few runs or too many losses for a verdict.</summary>
    public const int NotJudged = 5;

    /// <summary>Interrupted.</summary>
    public const int Interrupted = 130;
}
