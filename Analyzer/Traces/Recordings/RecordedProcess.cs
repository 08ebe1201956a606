namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A recorded process.</summary>
/// <param name="ProcessId">Process id.</param>
/// <param name="Role">The measured process, or a descendant of it.</param>
/// <param name="CommandLine">Its command line as the operating system shows it, empty when unknown.</param>
/// <param name="Runtime">Version of its runtime, for example <c>.NET 10.0.12</c>, empty when unknown.</param>
/// <param name="ExitCode">Exit code; null when its end was not observed.</param>
/// <param name="Sessions">Sessions that were started in it.</param>
/// <param name="HeldMs">
/// How long the recorder held it at its start to open the sessions, in ms; null when it did not (attached) or in older recordings.
/// </param>
public sealed record RecordedProcess(
    int ProcessId,
    ProcessRole Role,
    string CommandLine,
    string Runtime,
    int? ExitCode,
    IReadOnlyList<RecordedSession> Sessions,
    double? HeldMs = null
)
{
    /// <summary>Problems of its sessions, a sentence each.</summary>
    public IEnumerable<string> SessionProblems() =>
        Sessions
            .Where(session => session.Error.Length > 0)
            .Select(session => $"session '{session.Name}' of process {ProcessId}: {session.Error}");
}
