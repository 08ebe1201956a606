namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>The kernel session of a plan.</summary>
/// <param name="Name">
/// Name of the session: <see cref="NtKernelLogger"/>, or our own for a private system logger (Windows 8 and later).
/// </param>
/// <param name="Events">Events to record.</param>
/// <param name="StackEvents">Events to record with stacks.</param>
/// <param name="SampleInterval">Time between two CPU samples of a processor in units of 100 ns, 1221 to 10,000,000.</param>
/// <param name="Buffers">Its buffers.</param>
/// <param name="FileName">File name in the recording's folder.</param>
public sealed record EtwKernelSession(
    string Name,
    KernelEvents Events,
    KernelEvents StackEvents,
    int SampleInterval,
    EtwBuffers Buffers,
    string FileName
)
{
    /// <summary>The kernel session that exists once on every Windows.</summary>
    public const string NtKernelLogger = "NT Kernel Logger";

    /// <summary>Windows' own interval, 1 ms.</summary>
    public const int DefaultSampleInterval = 10_000;

    /// <summary>Minimum interval of xperf and WPR: 122.1 µs.</summary>
    public const int MinSampleInterval = 1221;

    /// <summary>Maximum interval of xperf and WPR: 1 s.</summary>
    public const int MaxSampleInterval = 10_000_000;

    /// <summary>True for a private system logger, false for <see cref="NtKernelLogger"/>.</summary>
    public bool IsPrivate => Name != NtKernelLogger;

    /// <summary>
    /// Whether the session takes CPU samples at an interval other than Windows' own. The recorder then changes it for the whole machine and
    /// restores it.
    /// </summary>
    public bool ChangesSampleInterval => Events.HasFlag(KernelEvents.Profile) && SampleInterval != DefaultSampleInterval;
}
