using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>The written part of a circular recording.</summary>
/// <param name="Interval">The covered interval.</param>
/// <param name="Files">Names of the trace files with their sizes in bytes; for perf.data the size of its records.</param>
/// <param name="Problems">What is missing or could not be written, a sentence each.</param>
internal sealed record CircularPart(KeptInterval Interval, IReadOnlyDictionary<string, long> Files, IReadOnlyList<string> Problems)
{
    /// <summary>Whether a file could not be written completely.</summary>
    public bool CouldNotWrite { get; init; }

    /// <summary>Adapts the recording's description to this part. A session without remaining events has no file.</summary>
    public Recording Describe(Recording recording) =>
        recording with
        {
            Kept = Interval,
            Losses = [.. recording.Losses, .. Problems],
            Complete = recording.Complete && Problems.Count == 0,
            Interruption = recording.Interruption.Length > 0 ? recording.Interruption : Problems.FirstOrDefault(""),
            Kernel = recording.Kernel is { } kernel
                ? kernel with
                {
                    File = FileOrNone(kernel.File),
                    Bytes = Files.GetValueOrDefault(kernel.File),
                }
                : null,
            Processes =
            [
                .. recording.Processes.Select(process =>
                    process with
                    {
                        Sessions =
                        [
                            .. process.Sessions.Select(session =>
                                session with
                                {
                                    File = FileOrNone(session.File),
                                    Bytes = Files.GetValueOrDefault(session.File),
                                }
                            ),
                        ],
                    }
                ),
            ],
        };

    private string FileOrNone(string name) => Files.ContainsKey(name) ? name : "";
}
