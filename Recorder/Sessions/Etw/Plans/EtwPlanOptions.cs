using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>The user's choices for a plan. With the defaults, the plan is the purpose's preset.</summary>
public sealed record EtwPlanOptions
{
    /// <summary>Purpose of the sessions.</summary>
    public EtwPurpose Purpose { get; init; } = EtwPurpose.Runs;

    /// <summary>Files, or the newest part in memory.</summary>
    public RecordingMode Mode { get; init; } = RecordingMode.File;

    /// <summary>Time between two CPU samples of a processor in units of 100 ns.</summary>
    public int SampleInterval { get; init; } = EtwKernelSession.DefaultSampleInterval;

    /// <summary>Kernel events in addition to those of the purpose.</summary>
    public KernelEvents MoreKernelEvents { get; init; }

    /// <summary>Whether to use the NT Kernel Logger even where the tool could start a private system logger.</summary>
    public bool NtKernelLogger { get; init; }

    /// <summary>
    /// Prefix of our session names. It contains the recorder's process id, so that <see cref="EtwSessionName"/> recognizes sessions left
    /// behind.
    /// </summary>
    public string SessionPrefix { get; init; } = EtwSessionName.PrefixOf(Environment.ProcessId);

    /// <summary>Allocation events. For <see cref="EtwPurpose.Allocation"/>, the default is ticks.</summary>
    public AllocationEvents Allocation { get; init; }

    /// <summary>Events of first calls. For <see cref="EtwPurpose.FirstCall"/>, the default is all.</summary>
    public StartupEvents? Startup { get; init; }

    /// <summary>Whether to record inlined methods.</summary>
    public bool InlineInfo { get; init; } = true;

    /// <summary>
    /// Whether to record which IL statement each part of a method's code belongs to: source lines of programs that were not started with
    /// DOTNET_RichDebugInfo=1. EventPipe's rundown has it anyway.
    /// </summary>
    public bool Lines { get; init; }

    /// <summary>
    /// Whether to start one user session at level Verbose instead of two. This gives fewer files, but the GC keyword then adds allocation
    /// ticks, which an event filter drops unless requested.
    /// </summary>
    public bool SingleSession { get; init; }

    /// <summary>Runtime events that carry stacks; null for the purpose's own choice.</summary>
    public EtwEventFilter? StackFilter { get; init; }

    /// <summary>Runtime events to record in all sessions; null for those of the purpose.</summary>
    public EtwEventFilter? EventFilter { get; init; }

    /// <summary>How long runtimes that are running at the end may write their method names; 0 skips this.</summary>
    public TimeSpan RundownWait { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>Whether to create PDB files for .NET Framework's precompiled images (NGEN) at the end.</summary>
    public bool NgenPdbs { get; init; }

    /// <summary>Whether to compress the merged file.</summary>
    public bool Compress { get; init; }
}
