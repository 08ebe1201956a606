namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>Exit codes of the workload.</summary>
public static class ExitCode
{
    /// <summary>Everything that was asked for was done.</summary>
    public const int Done = 0;

    /// <summary>A run failed or a round trip differs; the rest was done.</summary>
    public const int Failed = 1;

    /// <summary>The command line asks for something that is not legal.</summary>
    public const int Usage = 2;

    /// <summary>Interrupted; what was measured until then was written.</summary>
    public const int Interrupted = 130;
}
