using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>Assembles the content of recording.json.</summary>
internal static class RecordingDescription
{
    /// <summary>Describes a recording; errors of its sessions become losses.</summary>
    /// <param name="options">What was to be recorded.</param>
    /// <param name="folder">Its folder.</param>
    /// <param name="startedUtc">Start time.</param>
    /// <param name="elapsed">Duration.</param>
    /// <param name="complete">Whether the recording ended normally.</param>
    /// <param name="interruption">Why it did not; empty when it did.</param>
    /// <param name="processes">Recorded processes.</param>
    /// <param name="kernel">The kernel session.</param>
    /// <param name="losses">Other losses, a sentence each.</param>
    public static Recording Of(
        RecordOptions options,
        RecordingFolder folder,
        DateTime startedUtc,
        TimeSpan elapsed,
        bool complete,
        string interruption,
        IReadOnlyList<RecordedProcess> processes,
        RecordedKernelSession? kernel,
        IReadOnlyList<string> losses
    )
    {
        List<string> all = [.. losses, .. processes.SelectMany(process => process.SessionProblems())];
        if (kernel is { Error.Length: > 0 })
            all.Add($"the kernel session {kernel.Error}");

        // A recording with some lost records still counts as complete: the analysis finds the gaps in the file and marks the runs that
        // they touch.
        var isWhole = complete && all.Count == 0;
        if (kernel is { LostRecords: > 0 })
            all.Add($"the kernel session lost {kernel.LostRecords} records because {kernel.LossCause}; {kernel.LossAdvice}");

        // Known only when the session began: --dry-run could not show it.
        all.AddRange((kernel?.Notes ?? []).Except(options.Kernel?.Notes ?? []));
        return new Recording(
            Recording.CurrentSchema,
            options.ToolVersion,
            startedUtc,
            elapsed.TotalMilliseconds,
            isWhole,
            interruption.Length > 0 ? interruption
                : isWhole ? ""
                : all.FirstOrDefault(""),
            options.ShownCommand,
            options.WorkingDirectory,
            options.BuiltInSuite,
            HostDescription.Read(),
            options.Sessions,
            processes,
            File.Exists(folder.File(Recording.RunsFileName)) ? Recording.RunsFileName : "",
            all
        )
        {
            Kernel = kernel,
            Mode = options.Mode.ToString(),
            Variables = options.ShownVariables,
            Workload = options.Redaction.Of(options.Workload),
            Configuration = options.Configuration,
            MyCode = options.MyCode,
            Source = options.Source,
        };
    }
}
