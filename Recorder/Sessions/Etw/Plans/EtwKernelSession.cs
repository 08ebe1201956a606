namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>The kernel session of a plan.</summary>
/// <param name="Name">Name of the session; <see cref="NtKernelLogger"/>, or one of ours for a private system logger (Windows 8 and later).</param>
/// <param name="Events">Events that are recorded.</param>
/// <param name="StackEvents">Those of them that carry stacks.</param>
/// <param name="SampleInterval">Time between two CPU samples of a processor in units of 100 ns, 1221 to 10,000,000.</param>
/// <param name="Buffers">Buffers.</param>
/// <param name="FileName">File in the recording's folder.</param>
public sealed record EtwKernelSession(string Name, KernelEvents Events, KernelEvents StackEvents, int SampleInterval, EtwBuffers Buffers, string FileName)
{
    /// <summary>The one kernel session that every Windows has; only one can exist.</summary>
    public const string NtKernelLogger = "NT Kernel Logger";

    /// <summary>1 ms, Windows' own interval.</summary>
    public const int DefaultSampleInterval = 10_000;

    /// <summary>Shortest interval that xperf and WPR take: 122.1 µs.</summary>
    public const int ShortestSampleInterval = 1221;

    /// <summary>Longest interval that xperf and WPR take: 1 s.</summary>
    public const int LongestSampleInterval = 10_000_000;

    /// <summary>True for a private system logger, false for <see cref="NtKernelLogger"/>.</summary>
    public bool IsPrivate => Name != NtKernelLogger;

    /// <summary>Whether CPU samples are taken at an interval that is not Windows' own: it is changed for the whole machine, and set back.</summary>
    public bool ChangesSampleInterval => Events.HasFlag(KernelEvents.Profile) && SampleInterval != DefaultSampleInterval;
}
