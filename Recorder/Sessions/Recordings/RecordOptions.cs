using System.Threading.Channels;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>What to record, and the target folder.</summary>
public sealed record RecordOptions
{
    /// <summary>Program and arguments.</summary>
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>Redaction of the command lines and variables in the recording.</summary>
    public Redaction Redaction { get; init; } = Redaction.None;

    /// <summary>The command after redaction.</summary>
    public IReadOnlyList<string> ShownCommand => Redaction.Of(Command);

    /// <summary>The variables after redaction.</summary>
    public IReadOnlyList<RuntimeVariable> ShownVariables =>
        [.. Variables.Select(variable => variable with { Value = Redaction.Of(variable.Name, variable.Value) })];

    /// <summary>Working directory of the command.</summary>
    public string WorkingDirectory { get; init; } = System.Environment.CurrentDirectory;

    /// <summary>Variables for the command in addition to the recorder's own.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>Variables that determine what the command's runtime records; values set by the user are kept.</summary>
    public IReadOnlyList<RuntimeVariable> Variables { get; init; } = [];

    /// <summary>Folder of the recording; must not exist, or be empty.</summary>
    public required string Folder { get; init; }

    /// <summary>Sessions to start in each recorded process.</summary>
    public required IReadOnlyList<PlannedSession> Sessions { get; init; }

    /// <summary>Kernel session for the whole process tree; null for none.</summary>
    public KernelPlan? Kernel { get; init; }

    /// <summary>Whether the command is the suite that ships with the tool.</summary>
    public bool BuiltInSuite { get; init; }

    /// <summary>The build of the suite, for recording.json; null for a user's command.</summary>
    public RecordedWorkload? Workload { get; init; }

    /// <summary>Whether to record every .NET process of the tree instead of only the first one that is not an SDK tool.</summary>
    public bool FollowAll { get; init; }

    /// <summary>Target of the command's standard output; null to inherit the recorder's.</summary>
    public TextWriter? Output { get; init; }

    /// <summary>Version of the tool, for recording.json.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>Whether to keep everything in files or the newest part in memory.</summary>
    public RecordingMode Mode { get; init; } = RecordingMode.File;

    /// <summary>Snapshot requests of a circular recording; each item names its trigger. Null for none.</summary>
    public ChannelReader<string>? Snapshots { get; init; }

    /// <summary>A file that triggers a snapshot when it appears, and is then deleted. Null for none.</summary>
    public string? TriggerFile { get; init; }

    /// <summary>Branch and commit of the command's sources, for recording.json; null when unknown.</summary>
    public RecordedSource? Source { get; init; }

    /// <summary>Path of the configuration file whose options were used; null for none.</summary>
    public string? Configuration { get; init; }

    /// <summary>Assemblies and namespaces that the user calls own code, for recording.json.</summary>
    public IReadOnlyList<string> MyCode { get; init; } = [];

    /// <summary>Duration of the recording; null to record until the command ends or the user interrupts.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>Dumps to take during the recording.</summary>
    public DumpPlan Dumps { get; init; } = DumpPlan.None;

    /// <summary>Time limits.</summary>
    public RecordLimits Limits { get; init; } = new();

    /// <summary>Opens a trace file for writing; tests replace it to simulate a full disk.</summary>
    internal Func<string, Stream> OpenTrace { get; init; } =
        path => new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);

    /// <summary>Opens the target of the kernel session's records; null for its file.</summary>
    internal PerfSinkFactory? OpenPerfData { get; init; }

    /// <summary>The options for a suite that leaves serializers out.</summary>
    public RecordOptions Without(IReadOnlyList<LeftOutSerializer> leftOut) =>
        this with
        {
            Workload = Workload is null ? null : Workload with { LeftOut = leftOut },
        };
}
