using EtwSerializerProfiler.Sessions.Clocks;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;
using EtwSerializerProfiler.Traces.PerfData.Writing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Records with perf events (a launched command with its process tree, or a running process), by ptrace (a command that the sampler
/// launches), or by reading the clocks of threads. Without a plan, it only launches.
/// </summary>
internal sealed class KernelTracer : IDisposable
{
    /// <summary>File name in the recording's folder.</summary>
    private const string FileName = "perf.data";

    private readonly KernelPlan? _plan;

    /// <summary>
    /// Kept until the command has ended, because the gate's shell opens the pipe by name. Null without perf events, and for a running
    /// process.
    /// </summary>
    private readonly GatedLaunch? _gate;

    /// <summary>Launches the command instead of the gate; null without ptrace.</summary>
    private readonly PtraceSession? _ptrace;

    private readonly IReadOnlyList<string> _command;

    private IKernelSession? _session;

    /// <summary>The session if it reads the clocks of threads; else null.</summary>
    private ThreadClockSession? _clocks;

    /// <summary>Why the session was not started; empty when it was.</summary>
    private string _error = "";

    /// <summary>Whether its file could not be created.</summary>
    private bool _hasNoFile;

    /// <summary>Bytes of records in the compressed file; null before it is compressed.</summary>
    private long? _packedBytes;

    /// <summary>Prepares the launch of <paramref name="command"/>.</summary>
    /// <exception cref="LaunchException">The program does not exist or may not be run.</exception>
    public KernelTracer(KernelPlan? plan, IReadOnlyList<string> command)
    {
        _plan = plan;
        _command = command;
        if (plan is PtracePlan ptrace)
        {
            _ptrace = new PtraceSession(ptrace, command);
            _session = _ptrace;
        }
        else if (plan is PerfEventPlan)
            _gate = new GatedLaunch(command);
    }

    /// <summary>Prepares the recording of a running process.</summary>
    public KernelTracer(KernelPlan? plan)
    {
        _plan = plan;
        _command = [];
    }

    /// <summary>Whether its file could not be created or not be written completely. Final after <see cref="Stop"/>.</summary>
    public bool CouldNotWrite => _hasNoFile || _session is { CouldNotWrite: true };

    /// <summary>Bytes of records so far.</summary>
    public long Bytes => _session?.Statistics.Bytes ?? 0;

    /// <summary>Launches the command.</summary>
    /// <param name="workingDirectory">Working directory of the command.</param>
    /// <param name="environment">Variables that differ from the recorder's own; a null value removes one.</param>
    /// <param name="output">Target of its standard output; null to inherit the recorder's.</param>
    /// <exception cref="LaunchException">The command cannot be started.</exception>
    public ChildProcess Launch(string workingDirectory, IReadOnlyDictionary<string, string?> environment, TextWriter? output) =>
        _ptrace?.Launch(workingDirectory, environment, output)
        ?? ChildProcess.Start(_gate?.Command ?? _command, workingDirectory, environment, output);

    /// <summary>
    /// Opens the events for the process and lets a launched one begin. Without permission the process still begins, and
    /// <see cref="Describe"/> has the reason.
    /// </summary>
    public void Begin(int processId, RecordingFolder folder, RecordOptions options)
    {
        if (_plan is null)
            return;
        try
        {
            if (_ptrace is not null)
                _ptrace.Start(folder.File(FileName), options.ToolVersion, options.ShownCommand, options.OpenPerfData);
            else if (_plan is PerfEventPlan plan)
                _session = PerfEventSession.Start(
                    plan,
                    processId,
                    folder.File(FileName),
                    options.ToolVersion,
                    options.ShownCommand,
                    options.OpenPerfData
                );
            else if (_plan is ThreadClockPlan clocks)
                _session = _clocks = ThreadClockSession.Start(
                    clocks,
                    folder.File(FileName),
                    options.ToolVersion,
                    options.ShownCommand,
                    options.OpenPerfData
                );
        }
        catch (Exception exception) when (exception is PerfEventException or IOException or UnauthorizedAccessException)
        {
            _hasNoFile = exception is not PerfEventException;
            _error = $"was not started: {exception.Message}";
        }

        try
        {
            _gate?.Open();
        }
        catch (IOException)
        {
            // The process has ended; its exit code shows why.
        }
    }

    /// <summary>Reads the threads' clocks of a process that EventPipe records, if planned.</summary>
    public void Watch(int processId) => _clocks?.Watch(processId);

    /// <summary>Process id of the launched command when it differs from the started process; null when they are the same.</summary>
    public Task<int>? Program => _ptrace?.Program;

    /// <summary>Ends the session and completes its file.</summary>
    public void Stop() => _session?.Stop();

    /// <summary>Compresses the session's file, after <see cref="Stop"/>.</summary>
    public void Pack(RecordingFolder folder)
    {
        if (_session is not null && !CouldNotWrite && File.Exists(folder.File(FileName)))
            _packedBytes = PerfDataPacker.Pack(folder.File(FileName));
    }

    /// <summary>Describes the session for recording.json; null when none was planned. Final after <see cref="Stop"/>.</summary>
    public RecordedKernelSession? Describe()
    {
        if (_plan is null)
            return null;
        var plan = (_session as PerfEventSession)?.Plan ?? _plan;
        var statistics = _session?.Statistics ?? default;
        var drain = _session is PerfEventSession perf ? perf.Drain : (DrainStatistics?)null;
        var cause =
            statistics.LostRecords == 0 ? default
            : drain is { } drained ? LossCause.Of(drained)
            : LossCause.Unknown;
        return new RecordedKernelSession(
            _session is null || _hasNoFile ? "" : FileName,
            _packedBytes ?? statistics.Bytes,
            [.. plan.Events.Select(item => item.Name)],
            plan.TakesSamples ? plan.SampleRateHz : 0,
            statistics.Samples,
            statistics.Switches,
            statistics.LostRecords,
            plan.Notes,
            _error.Length > 0 ? _error : _session?.Error ?? ""
        )
        {
            Sampler = plan.Sampler.ToString().ToLowerInvariant(),
            SystemWide = plan.IsSystemWide,
            StackDumpBytes = plan.StackDumpBytes,
            RingBytes = drain?.RingBytes ?? 0,
            LossCause = cause.Reason ?? "",
            LossAdvice = cause.Advice ?? "",
        };
    }

    public void Dispose()
    {
        _session?.Dispose();
        _gate?.Dispose();
    }
}
