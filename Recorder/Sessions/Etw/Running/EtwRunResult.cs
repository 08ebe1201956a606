using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>What came of carrying out steps.</summary>
/// <param name="Steps">Steps carried out and taken back, in order.</param>
/// <param name="ProcessId">The program, 0 when none was started.</param>
/// <param name="ExitCode">Its exit code; null when it was ended, or none was started.</param>
/// <param name="Interrupted">Whether the user ended it.</param>
/// <param name="Error">Why it failed, with what to do; empty when it did not.</param>
/// <param name="Notes">What the user has to know, a sentence each.</param>
/// <param name="Check">What was found in the merged trace; null when there is none.</param>
public sealed record EtwRunResult(
    IReadOnlyList<EtwExecutedStep> Steps, int ProcessId, int? ExitCode, bool Interrupted, string Error, IReadOnlyList<string> Notes, EtwCheck? Check)
{
    /// <summary>The same as <see cref="Error"/>, in its parts; null when nothing failed.</summary>
    public Problem? Problem { get; init; }

    /// <summary>Whether there is a merged trace.</summary>
    public bool HasTrace => Error.Length == 0;
}
