using System.Collections.Concurrent;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Blocks;
using EtwSerializerProfiler.Traces.Recordings;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>The sessions of one recorded process.</summary>
internal sealed class ProcessTracer : IAsyncDisposable
{
    /// <summary>
    /// The started sessions. The array is replaced, never changed, because progress and descriptions read it while others start.
    /// </summary>
    private volatile EventPipeRecorder[] _recorders = [];

    /// <summary>Errors of planned sessions by name; a session without one has no entry.</summary>
    private readonly ConcurrentDictionary<string, string> _errors = [];

    /// <summary>File name of each started session.</summary>
    private readonly ConcurrentDictionary<string, string> _files = [];

    /// <summary>Whether a session's file could not be created.</summary>
    private bool _hasNoFile;

    /// <summary>Which of the recorded processes with this id, from 1.</summary>
    private readonly int _use;

    private readonly ProcessRole _role;
    private readonly IReadOnlyList<string> _command;
    private readonly Redaction _redaction;
    private readonly string _runtimeVersion;
    private readonly string _runtime;

    public ProcessTracer(
        int processId,
        ProcessRole role,
        IReadOnlyList<string> command,
        string runtimeVersion,
        Redaction redaction,
        int use = 1
    )
    {
        ProcessId = processId;
        _use = use;
        _role = role;
        _command = command;
        _redaction = redaction;
        _runtimeVersion = runtimeVersion;

        // Determined now, because the process may have ended when it is described. Reading is quick: the text that identifies NativeAOT
        // lies in the first kilobytes of such a program.
        var isNativeAot = OperatingSystem.IsLinux() && MissingRuntime.IsNativeAot($"/proc/{processId}/exe");
        _runtime = runtimeVersion.Length == 0 ? "" : $".NET {(isNativeAot ? "NativeAOT " : "")}{runtimeVersion.Split('+')[0]}";
    }

    /// <summary>Process id.</summary>
    public int ProcessId { get; }

    /// <summary>How long the recorder kept the process waiting at its start, in ms; null while it waits, or when it did not.</summary>
    public double? HeldMs { get; set; }

    /// <summary>Counts the GCs, for the progress; null when nobody asks for them.</summary>
    public LiveGcs? Gcs { get; init; }

    /// <summary>Whether a session's file could not be created, or not written completely.</summary>
    public bool CouldNotWrite => _hasNoFile || _recorders.Any(recorder => recorder.CouldNotWrite);

    /// <summary>Bytes of trace written.</summary>
    public long Bytes => _recorders.Sum(recorder => recorder.Bytes);

    /// <summary>Completes when every session's stream has ended.</summary>
    public Task Completion => Task.WhenAll(_recorders.Select(recorder => recorder.Completion));

    /// <summary>Starts the planned sessions. If one fails, the error is noted and the others continue.</summary>
    public async Task StartAsync(RecordOptions options, RecordingFolder folder)
    {
        foreach (var plan in options.Sessions.Where(IsOpened))
        {
            var name = _role == ProcessRole.Measured ? $"{plan.Name}.nettrace" : $"{plan.Name}.{ProcessKey.Text(ProcessId, _use)}.nettrace";
            Stream? file = null;
            try
            {
                file = _redaction.Of(options.OpenTrace(folder.File(name)), _command);
                using var limit = new CancellationTokenSource(options.Limits.Answer);
                var recorder = await EventPipeRecorder
                    .StartAsync(ProcessId, plan, file, HasGcs(plan) ? Gcs : null, limit.Token)
                    .ConfigureAwait(false);
                _files[plan.Name] = name;
                _recorders = [.. _recorders, recorder];
            }
            catch (Exception exception)
                when (exception
                        is DiagnosticsClientException
                            or IOException
                            or OperationCanceledException
                            or TimeoutException
                            or UnauthorizedAccessException
                )
            {
                _errors[plan.Name] =
                    $"was not started: {(exception is OperationCanceledException ? "the runtime did not answer in time" : exception.Message)}";
                if (file is null)
                    _hasNoFile = true;
                else
                    await file.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends the sessions and waits for their last bytes.</summary>
    /// <param name="stillRuns">
    /// Whether the process is still running, so that the sessions must be stopped; otherwise the streams end by themselves.
    /// </param>
    /// <param name="limits">Time limits.</param>
    public Task FinishAsync(bool stillRuns, RecordLimits limits) =>
        Task.WhenAll(_recorders.Select(recorder => FinishAsync(recorder, stillRuns, limits)));

    /// <summary>
    /// Compresses the file of session <c>code</c> after the sessions have ended: it is the largest one, full of names of methods. The
    /// other files stay as they are, for other tools.
    /// </summary>
    public void Pack(RecordingFolder folder)
    {
        const string Session = EventPipePlan.CodeSession;
        if (_files.TryGetValue(Session, out var name) && !_errors.ContainsKey(Session))
            _files[Session] = Path.GetFileName(BlockIndex.Pack(folder.File(name)));
    }

    /// <summary>Describes the process for recording.json.</summary>
    /// <param name="sessions">The planned sessions.</param>
    /// <param name="exitCode">Exit code, null when unknown.</param>
    public RecordedProcess Describe(IReadOnlyList<PlannedSession> sessions, int? exitCode) =>
        new(
            ProcessId,
            _role,
            CommandLineText.Join(_redaction.Of(_command)),
            _runtime,
            exitCode,
            [
                .. sessions
                    .Where(IsOpened)
                    .Select(plan => new RecordedSession(
                        plan.Name,
                        _files.GetValueOrDefault(plan.Name, ""),
                        _recorders.FirstOrDefault(recorder => recorder.Name == plan.Name)?.Bytes ?? 0,
                        _errors.GetValueOrDefault(plan.Name, "")
                    )),
            ],
            HeldMs
        );

    public async ValueTask DisposeAsync()
    {
        foreach (var recorder in _recorders)
            await recorder.DisposeAsync().ConfigureAwait(false);
    }

    private static bool HasGcs(PlannedSession plan) =>
        plan.Providers.Any(provider =>
            provider.Name == EventOrigins.RuntimeProvider && (provider.KeywordMask & (ulong)RuntimeKeywords.Gc) != 0
        );

    private bool IsOpened(PlannedSession plan) => plan.IsFor(SessionKinds.MajorVersion(_runtimeVersion));

    private async Task FinishAsync(EventPipeRecorder recorder, bool stillRuns, RecordLimits limits)
    {
        var error = "";
        try
        {
            if (stillRuns)
            {
                using var limit = new CancellationTokenSource(limits.Stop);
                await recorder.StopAsync(limit.Token).ConfigureAwait(false);
            }

            error = await recorder.Completion.WaitAsync(limits.Drain).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is OperationCanceledException or TimeoutException)
        {
            error = "did not end in time, so its last events and method names are missing";
            await recorder.DisposeAsync().ConfigureAwait(false);
        }

        if (error.Length == 0 && recorder.Bytes == 0)
            error = "is empty";
        if (error.Length > 0)
            _errors[recorder.Name] = error;
    }
}
