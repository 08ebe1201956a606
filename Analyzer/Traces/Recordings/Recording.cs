using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// A recording: a folder with trace files, the run CSV and <c>recording.json</c>, which is this record. It has what was planned, what was
/// recorded, and what was lost.
/// </summary>
/// <param name="Schema">Schema version of the file; <see cref="CurrentSchema"/>.</param>
/// <param name="ToolVersion">Version of esp-record that wrote it.</param>
/// <param name="StartedUtc">When the recording began, UTC.</param>
/// <param name="DurationMs">Wall time from the start of the child to the last byte written, in ms.</param>
/// <param name="Complete">False when the recording was cut short; <paramref name="Interruption"/> says why.</param>
/// <param name="Interruption">Why the recording is partial, empty when it is complete.</param>
/// <param name="Command">The recorded command, program first.</param>
/// <param name="WorkingDirectory">Working directory of the command.</param>
/// <param name="BuiltInSuite">True when the command is the serializer suite that ships with the tool.</param>
/// <param name="Host">The machine.</param>
/// <param name="PlannedSessions">Sessions that were planned for each recorded process.</param>
/// <param name="Processes">Recorded processes, the measured one first.</param>
/// <param name="RunsFile">File name of the run CSV in the folder, empty when the command wrote none.</param>
/// <param name="Losses">What is missing from the recording, a sentence each.</param>
public sealed record Recording(
    int Schema,
    string ToolVersion,
    DateTime StartedUtc,
    double DurationMs,
    bool Complete,
    string Interruption,
    IReadOnlyList<string> Command,
    string WorkingDirectory,
    bool BuiltInSuite,
    RecordingHost Host,
    IReadOnlyList<PlannedSession> PlannedSessions,
    IReadOnlyList<RecordedProcess> Processes,
    string RunsFile,
    IReadOnlyList<string> Losses
)
{
    /// <summary>The kernel session; null when none was planned.</summary>
    public RecordedKernelSession? Kernel { get; init; }

    /// <summary>The recording mode: <c>file</c>, or <c>circular:SIZE</c> or <c>--max-size SIZE</c> when the newest part was kept.</summary>
    [AllowNull]
    public string Mode
    {
        get;
        init => field = value ?? FileMode;
    } = FileMode; // null: a recording.json older than the modes

    /// <summary>Environment variables of the command that affect what its runtime records; none for an attached process.</summary>
    [AllowNull]
    public IReadOnlyList<RuntimeVariable> Variables
    {
        get;
        init => field = value ?? [];
    } = []; // null: a recording.json from before

    /// <summary>The recorded build of the serializer suite; null for other programs and in older recordings.</summary>
    public RecordedWorkload? Workload { get; init; }

    /// <summary>Branch and commit of the recorded program, from its working directory; null when unknown.</summary>
    public RecordedSource? Source { get; init; }

    /// <summary>Path of the configuration file whose options were used; null for none.</summary>
    public string? Configuration { get; init; }

    /// <summary>Assemblies and namespaces that the user calls own code; empty for the program and its libraries.</summary>
    [AllowNull]
    public IReadOnlyList<string> MyCode
    {
        get;
        init => field = value ?? [];
    } = []; // null: a recording.json from before

    /// <summary>The part kept in circular mode; null when everything was kept.</summary>
    public KeptInterval? Kept { get; init; }

    /// <summary>The ETW sessions; null when none were used.</summary>
    public RecordedEtw? Etw { get; init; }

    /// <summary>Dumps in order of time.</summary>
    [AllowNull]
    public IReadOnlyList<RecordedDump> Dumps
    {
        get;
        init => field = value ?? [];
    } = []; // null: a recording.json from before

    /// <summary>Requested dumps that were not taken.</summary>
    [AllowNull]
    public IReadOnlyList<DumpNotTaken> DumpsNotTaken
    {
        get;
        init => field = value ?? [];
    } = []; // null: a recording.json from before

    /// <summary>The environment of the suite's runs, read from a file of its own; null when it was not written.</summary>
    [JsonIgnore]
    public RunEnvironment? Environment { get; init; }

    /// <summary>Whether the kernel session has CPU samples, which can be shown without a recorded process.</summary>
    [JsonIgnore]
    public bool HasCpuSamples => Kernel is { Samples: > 0, File.Length: > 0 };

    /// <summary>The mode that keeps everything.</summary>
    private const string FileMode = "file";

    /// <summary>True when the recorder attached to a running process: what it did before is not in the recording.</summary>
    public bool Attached { get; init; }

    /// <summary>True when the user ended the recording while the command ran, by Ctrl+C, a signal or a duration.</summary>
    public bool EndedByUser { get; init; }

    /// <summary>The time during which all sessions recorded; null when that began with the process.</summary>
    public RecordedSpan? Span { get; init; }

    /// <summary><see cref="Interruption"/> that stays in the file when the recorder is killed.</summary>
    public const string NotEnded = "the recorder did not finish";

    /// <summary>Wall time in ms; null (unknown) when the recorder was killed.</summary>
    [JsonIgnore]
    public double? KnownDurationMs => Interruption == NotEnded ? null : DurationMs;

    /// <summary>The schema this version writes.</summary>
    public const int CurrentSchema = 1;

    /// <summary>Name of the file in a recording's folder.</summary>
    public const string FileName = "recording.json";

    /// <summary>Name of the run CSV in a recording's folder.</summary>
    public const string RunsFileName = "runs.csv";
}

/// <summary>A session in a process.</summary>
/// <param name="Name">Name of the planned session.</param>
/// <param name="File">File name in the recording's folder, empty when the session could not be started.</param>
/// <param name="Bytes">Size of the file.</param>
/// <param name="Error">Why it was not started or ended early, empty when all went well.</param>
public sealed record RecordedSession(string Name, string File, long Bytes, string Error);

/// <summary>The sources of the recorded program, as far as the recorder could determine them.</summary>
/// <param name="Branch">Name of the branch; null when unknown or when a commit was checked out without a branch.</param>
/// <param name="Commit">Hash of the commit in hexadecimal; null when unknown.</param>
public sealed record RecordedSource(string? Branch, string? Commit);

/// <summary>The time during which all sessions of a recording recorded; events outside of it are incomplete.</summary>
/// <param name="StartTicks">
/// When the last session was started; in ticks of the traces' clock (see <see cref="TraceClock"/>), 0 when none was started yet.
/// </param>
/// <param name="StopTicks">When the first session ended; 0 when unknown.</param>
/// <param name="TicksPerSecond">Ticks in one second.</param>
public sealed record RecordedSpan(long StartTicks, long StopTicks, long TicksPerSecond);

/// <summary>The recorded build of the serializer suite, with the settings of its runtime's compiler and GC.</summary>
/// <param name="TargetFramework">Framework it was built for, for example net10.0 or net472.</param>
/// <param name="Runtime">
/// Its runtime: <c>.NET 10</c>, <c>.NET Framework</c>, <c>Mono 6.8.0.105</c>. The recorded process has the exact version of a .NET runtime.
/// </param>
/// <param name="SelfContained">Whether it was self-contained.</param>
/// <param name="ReadyToRun">Whether the suite itself was precompiled (ReadyToRun), as seen in its file.</param>
/// <param name="JitOnlyAssemblies">Assemblies in its folder without precompiled code, which the JIT compiles.</param>
/// <param name="Knobs">Settings of the runtime, including defaults.</param>
public sealed record RecordedWorkload(
    string TargetFramework,
    string Runtime,
    bool SelfContained,
    bool ReadyToRun,
    IReadOnlyList<string> JitOnlyAssemblies,
    IReadOnlyList<RuntimeKnob> Knobs
)
{
    /// <summary>Serializers of the suite or of the user's choice that did not run.</summary>
    [AllowNull]
    public IReadOnlyList<LeftOutSerializer> LeftOut
    {
        get;
        init => field = value ?? [];
    } = []; // null: a recording.json from before
}

/// <summary>A serializer that did not run.</summary>
/// <param name="Serializer">Its name.</param>
/// <param name="Reason">Why: its package was missing when the suite was built, or it does not support the request.</param>
public sealed record LeftOutSerializer(string Serializer, string Reason);

/// <summary>Role of a recorded process.</summary>
public enum ProcessRole
{
    /// <summary>The process whose runs are measured.</summary>
    Measured = 0,

    /// <summary>A descendant of the measured process or of the launched command; its runs count, too.</summary>
    Descendant = 1,
}

/// <summary>A requested dump that was not taken.</summary>
/// <param name="Trigger">Its trigger, as the user wrote it.</param>
/// <param name="Reason">Why not, a sentence: the trigger never happened, the limit was reached, the disk was full.</param>
public sealed record DumpNotTaken(string Trigger, string Reason);
