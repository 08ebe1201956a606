namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// The kernel session of a recording: context switches and CPU samples of the whole process tree, or of all processes, in one file.
/// </summary>
/// <param name="File">File name in the recording's folder (perf.data), empty when the session could not be started.</param>
/// <param name="Bytes">Bytes of records.</param>
/// <param name="Events">Events by name, as perf writes them.</param>
/// <param name="SampleRateHz">CPU samples per second of CPU time; 0 for none.</param>
/// <param name="Samples">CPU samples, tracepoint hits and stacks of context switches recorded.</param>
/// <param name="Switches">Context switches recorded, in and out.</param>
/// <param name="LostRecords">Number of records lost because a ring was full.</param>
/// <param name="Notes">What was not recorded for lack of permission, a sentence each.</param>
/// <param name="Error">Why it did not start or ended early; empty on success.</param>
public sealed record RecordedKernelSession(
    string File,
    long Bytes,
    IReadOnlyList<string> Events,
    int SampleRateHz,
    long Samples,
    long Switches,
    long LostRecords,
    IReadOnlyList<string> Notes,
    string Error
)
{
    /// <summary>Source of the CPU samples: perf, ptrace or none. Older recordings without this field used perf events.</summary>
    public string Sampler { get; init; } = "perf";

    /// <summary>Whether all processes of the machine were recorded, not only the process tree.</summary>
    public bool SystemWide { get; init; }

    /// <summary>Bytes of user stack in a CPU sample, 0 for none.</summary>
    public int StackDumpBytes { get; init; }

    /// <summary>Size of a CPU's ring; 0 when there was none, or in older recordings.</summary>
    public int RingBytes { get; init; }

    /// <summary>Why records were lost, as a clause after "because"; empty when none were lost.</summary>
    public string LossCause { get; init; } = "";

    /// <summary>How to prevent the loss next time; empty when nothing was lost.</summary>
    public string LossAdvice { get; init; } = "";
}
