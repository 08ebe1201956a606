using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>What was written of a circular recording.</summary>
/// <param name="Interval">The interval it covers.</param>
/// <param name="Files">Names of the trace files with their sizes in bytes; for perf.data that of its records.</param>
/// <param name="Problems">What could not be written or is missing, a sentence each.</param>
internal sealed record CircularPart(KeptInterval Interval, IReadOnlyDictionary<string, long> Files, IReadOnlyList<string> Problems)
{
    /// <summary>Whether a file could not be written to its end.</summary>
    public bool CouldNotWrite { get; init; }

    /// <summary>The recording's description as it holds for this part. A session of which nothing is left has no file.</summary>
    public Recording Describe(Recording recording) => recording with
    {
        Kept = Interval,
        Losses = [.. recording.Losses, .. Problems],
        Complete = recording.Complete && Problems.Count == 0,
        Interruption = recording.Interruption.Length > 0 ? recording.Interruption : Problems.FirstOrDefault(""),
        Kernel = recording.Kernel is { } kernel ? kernel with { File = FileOrNone(kernel.File), Bytes = Files.GetValueOrDefault(kernel.File) } : null,
        Processes =
        [
            .. recording.Processes.Select(process => process with
            {
                Sessions = [.. process.Sessions.Select(session => session with { File = FileOrNone(session.File), Bytes = Files.GetValueOrDefault(session.File) })],
            }),
        ],
    };

    private string FileOrNone(string name) => Files.ContainsKey(name) ? name : "";
}
