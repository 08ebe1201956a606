using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Result of executing steps.</summary>
/// <param name="Steps">Steps that were executed and undone, in order.</param>
/// <param name="ProcessId">Process id of the program; 0 when none was started.</param>
/// <param name="ExitCode">Its exit code; null when it was killed or not started.</param>
/// <param name="Interrupted">Whether the user interrupted.</param>
/// <param name="Error">Reason and fix of a failure; empty when nothing failed.</param>
/// <param name="Notes">Messages for the user, a sentence each.</param>
/// <param name="Check">Result of checking the merged trace; null when there is none.</param>
public sealed record EtwRunResult(
    IReadOnlyList<EtwExecutedStep> Steps,
    int ProcessId,
    int? ExitCode,
    bool Interrupted,
    string Error,
    IReadOnlyList<string> Notes,
    EtwCheck? Check
)
{
    /// <summary><see cref="Error"/> in its parts; null when nothing failed.</summary>
    public Problem? Problem { get; init; }

    /// <summary>Whether there is a merged trace.</summary>
    public bool HasTrace => Error.Length == 0;
}
