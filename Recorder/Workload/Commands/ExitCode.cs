namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>Exit codes of the workload.</summary>
public static class ExitCode
{
    /// <summary>Everything was done.</summary>
    public const int Done = 0;

    /// <summary>A run failed or a round trip differs; everything else was done.</summary>
    public const int Failed = 1;

    /// <summary>The command line is invalid.</summary>
    public const int Usage = 2;

    /// <summary>Interrupted; results up to then were written.</summary>
    public const int Interrupted = 130;
}
