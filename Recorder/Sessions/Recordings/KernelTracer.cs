using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>
/// Records with perf events: a command that it launches behind a gate, with the process tree, or a process that runs. Without a plan it only launches.
/// </summary>
internal sealed class KernelTracer : IDisposable
{
    /// <summary>File name in the recording's folder.</summary>
    private const string FileName = "perf.data";

    private readonly PerfEventPlan? _plan;

    /// <summary>Kept until the command has ended: the gate's shell opens its pipe by name. Null without a plan, and for a process that runs already.</summary>
    private readonly GatedLaunch? _gate;

    private PerfEventSession? _session;

    /// <summary>Why the session was not started, empty when it was.</summary>
    private string _error = "";

    /// <summary>Whether its file could not be made.</summary>
    private bool _hasNoFile;

    /// <summary>Prepares the launch of <paramref name="command"/>.</summary>
    /// <exception cref="LaunchException">The program does not exist or may not be run.</exception>
    public KernelTracer(PerfEventPlan? plan, IReadOnlyList<string> command)
    {
        _plan = plan;
        _gate = plan is null ? null : new GatedLaunch(command);
        Command = _gate?.Command ?? command;
    }

    /// <summary>Prepares the recording of a process that runs.</summary>
    public KernelTracer(PerfEventPlan? plan)
    {
        _plan = plan;
        Command = [];
    }

    /// <summary>What to start; empty for a process that runs.</summary>
    public IReadOnlyList<string> Command { get; }

    /// <summary>Whether its file could not be made, or not be written to its end. Final after <see cref="Stop"/>.</summary>
    public bool CouldNotWrite => _session?.CouldNotWrite ?? _hasNoFile;

    /// <summary>Bytes of records so far.</summary>
    public long Bytes => _session?.Statistics.Bytes ?? 0;

    /// <summary>Opens the events on the process and lets a launched one begin. Without permission it begins all the same, and <see cref="Describe"/> says why.</summary>
    public void Begin(int processId, RecordingFolder folder, RecordOptions options)
    {
        if (_plan is null)
            return;
        try
        {
            _session = PerfEventSession.Start(_plan, processId, folder.File(FileName), options.ToolVersion, options.ShownCommand, options.OpenPerfData);
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
            // The process has ended; its exit code says why.
        }
    }

    /// <summary>Ends the session and completes its file.</summary>
    public void Stop() => _session?.Stop();

    /// <summary>Describes the session for recording.json; null when none was planned. Final after <see cref="Stop"/>.</summary>
    public RecordedKernelSession? Describe()
    {
        if (_plan is null)
            return null;
        var statistics = _session?.Statistics ?? default;
        return new RecordedKernelSession(
            _session is null ? "" : FileName,
            statistics.Bytes,
            [.. _plan.Events.Select(item => item.Name)],
            _plan.TakesSamples ? _plan.SampleRateHz : 0,
            statistics.Samples,
            statistics.Switches,
            statistics.LostRecords,
            _plan.Notes,
            _session?.Error ?? _error)
        {
            SystemWide = _plan.Scope == PerfEventScope.SystemWide,
            StackDumpBytes = _plan.StackDumpBytes,
        };
    }

    public void Dispose()
    {
        _session?.Dispose();
        _gate?.Dispose();
    }
}
