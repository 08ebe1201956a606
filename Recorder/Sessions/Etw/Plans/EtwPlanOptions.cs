using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>What a user chooses of a plan. The defaults make the preset of the purpose.</summary>
public sealed record EtwPlanOptions
{
    /// <summary>What the sessions are for.</summary>
    public EtwPurpose Purpose { get; init; } = EtwPurpose.Runs;

    /// <summary>Files, or the newest part in memory.</summary>
    public RecordingMode Mode { get; init; } = RecordingMode.File;

    /// <summary>Time between two CPU samples of a processor in units of 100 ns.</summary>
    public int SampleInterval { get; init; } = EtwKernelSession.DefaultSampleInterval;

    /// <summary>Kernel events beside those of the purpose.</summary>
    public KernelEvents MoreKernelEvents { get; init; }

    /// <summary>Whether NT Kernel Logger is used even where the tool could have a private system logger.</summary>
    public bool NtKernelLogger { get; init; }

    /// <summary>
    /// Front of the names of our sessions; the recorder's process id stands in it, so that sessions left behind are told by <see cref="EtwSessionName"/>.
    /// </summary>
    public string SessionPrefix { get; init; } = EtwSessionName.PrefixOf(Environment.ProcessId);

    /// <summary>Allocation events; <see cref="EtwPurpose.Allocation"/> without a choice takes ticks.</summary>
    public AllocationEvents Allocation { get; init; }

    /// <summary>Events of first calls; <see cref="EtwPurpose.FirstCall"/> without a choice takes all.</summary>
    public StartupEvents? Startup { get; init; }

    /// <summary>Whether what was inlined where is recorded.</summary>
    public bool InlineInfo { get; init; } = true;

    /// <summary>
    /// One user session at level Verbose instead of two: fewer files, but the GC keyword then brings allocation ticks, which an event filter drops unless they are asked for.
    /// </summary>
    public bool SingleSession { get; init; }

    /// <summary>Which events of the runtime carry stacks, instead of the purpose's own choice; null leaves that.</summary>
    public EtwEventFilter? StackFilter { get; init; }

    /// <summary>Which events of the runtime are recorded, in all sessions; null for those of the purpose.</summary>
    public EtwEventFilter? EventFilter { get; init; }

    /// <summary>How long runtimes that still run at the end may write the names of their methods; 0 leaves it out.</summary>
    public TimeSpan RundownWait { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>Whether PDB files of precompiled images of .NET Framework (NGEN) are made at the end.</summary>
    public bool NgenPdbs { get; init; }

    /// <summary>Whether the merged file is compressed.</summary>
    public bool Compress { get; init; }
}
