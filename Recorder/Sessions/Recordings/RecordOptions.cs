using System.Threading.Channels;
using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>What to record and where to.</summary>
public sealed record RecordOptions
{
    /// <summary>Program and arguments.</summary>
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>What is hidden wherever the recording says how the command and its processes were started.</summary>
    public Redaction Redaction { get; init; } = Redaction.None;

    /// <summary>The command as the recording shows it.</summary>
    public IReadOnlyList<string> ShownCommand => Redaction.Of(Command);

    /// <summary>The variables as the recording shows them.</summary>
    public IReadOnlyList<RuntimeVariable> ShownVariables => [.. Variables.Select(variable => variable with { Value = Redaction.Of(variable.Name, variable.Value) })];

    /// <summary>Working directory of the command.</summary>
    public string WorkingDirectory { get; init; } = System.Environment.CurrentDirectory;

    /// <summary>Variables for the command beyond the recorder's own.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = new Dictionary<string, string?>();

    /// <summary>Variables that decide what the command's runtime tells; those the user has set are left as they are.</summary>
    public IReadOnlyList<RuntimeVariable> Variables { get; init; } = [];

    /// <summary>Folder of the recording; must not exist, or be empty.</summary>
    public required string Folder { get; init; }

    /// <summary>Sessions to open in each recorded process.</summary>
    public required IReadOnlyList<PlannedSession> Sessions { get; init; }

    /// <summary>Kernel session over the whole process tree; null for none.</summary>
    public KernelPlan? Kernel { get; init; }

    /// <summary>Whether the command is the suite that ships with the tool.</summary>
    public bool BuiltInSuite { get; init; }

    /// <summary>The build of the suite, for recording.json; null for a command of the user's own.</summary>
    public RecordedWorkload? Workload { get; init; }

    /// <summary>Records every .NET process of the tree, not only the first one that is not an SDK tool.</summary>
    public bool FollowAll { get; init; }

    /// <summary>Where the command's standard output goes; null lets it inherit the recorder's.</summary>
    public TextWriter? Output { get; init; }

    /// <summary>Version of the tool, for recording.json.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>Whether everything is kept, or the newest part in memory.</summary>
    public RecordingMode Mode { get; init; } = RecordingMode.File;

    /// <summary>Asks for snapshots of a circular recording; an item says who or what asks. Null for no such trigger.</summary>
    public ChannelReader<string>? Snapshots { get; init; }

    /// <summary>A file whose appearance asks for a snapshot; it is deleted then. Null for no such trigger.</summary>
    public string? TriggerFile { get; init; }

    /// <summary>Branch and commit of the command's sources, for recording.json; null when unknown.</summary>
    public RecordedSource? Source { get; init; }

    /// <summary>Path of the configuration file whose options were taken; null for none.</summary>
    public string? Configuration { get; init; }

    /// <summary>When to end the recording; null for no limit: at the end of the command, or when the user says so.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>Dumps to take meanwhile.</summary>
    public DumpPlan Dumps { get; init; } = DumpPlan.None;

    /// <summary>Time limits.</summary>
    public RecordLimits Limits { get; init; } = new();

    /// <summary>Opens a trace file for writing; replaced by tests that need a disk that fills up.</summary>
    internal Func<string, Stream> OpenTrace { get; init; } = path => new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);

    /// <summary>Opens what takes the kernel session's records; its file when null.</summary>
    internal PerfSinkFactory? OpenPerfData { get; init; }

    /// <summary>The same for a suite that leaves serializers out.</summary>
    public RecordOptions Without(IReadOnlyList<LeftOutSerializer> leftOut) => this with { Workload = Workload is null ? null : Workload with { LeftOut = leftOut } };
}
