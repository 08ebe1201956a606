using System.Collections.Concurrent;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// The dumps of a recording: watches the recorded processes and takes the dumps. Never uses the threads of the trace sessions.
/// </summary>
internal sealed class DumpSession : IAsyncDisposable
{
    private readonly DumpPlan _plan;
    private readonly DumpTaker _taker;

    /// <summary>Receives requests of held threads; null when no launched program can load the hook.</summary>
    private readonly DumpHookPort? _port;

    /// <summary>The watch of each recorded process.</summary>
    private readonly ConcurrentDictionary<int, ProcessWatch> _watches = [];

    /// <summary>1 once the session has ended.</summary>
    private int _ended;

    private DumpSession(DumpPlan plan, RecordingFolder folder, bool launches, Action<string> note)
    {
        _plan = plan;
        _taker = new DumpTaker(plan, folder, note);
        if (launches && plan.UsesHook)
            _port = DumpHookPort.Open(TakeAsync);
    }

    /// <summary>Raised after each attempt at a dump, so that recording.json can list it.</summary>
    public event Action? Changed;

    /// <summary>Path of the socket, which remains when the recorder is killed; null without a socket.</summary>
    public string? SocketPath => _port?.Path;

    /// <summary>Variable with the hook's settings for the launched program; null without a hook.</summary>
    public (string Name, string Value)? Variable =>
        _port is null
            ? null
            : (
                HookSettings.Variable,
                new HookSettings(
                    _port.Path,
                    _plan.TimeLimit,
                    [.. _plan.Triggers.Where(trigger => trigger.Exception is not null).Select(trigger => trigger.Exception!)]
                ).ToString()
            );

    /// <summary>Begins before the program does.</summary>
    /// <param name="plan">The plan of the dumps.</param>
    /// <param name="folder">The recording's folder.</param>
    /// <param name="launches">Whether a program is launched that can load the hook.</param>
    /// <param name="note">Reports a message to the user.</param>
    /// <exception cref="IOException">The hook's socket cannot be created.</exception>
    public static DumpSession Begin(DumpPlan plan, RecordingFolder folder, bool launches, Action<string> note) =>
        new(plan, folder, launches, note);

    /// <summary>Watches a recorded process from now on. Called before its runtime is resumed, so that it misses nothing.</summary>
    public async Task WatchAsync(int processId, RecordLimits limits)
    {
        if (_plan.Triggers.Count == 0)
            return;
        var watch = new ProcessWatch(
            processId,
            [.. _plan.Triggers.Where(trigger => trigger.Kind != DumpTriggerKind.Exception || _port is null)],
            cause => TakeAsync(cause, release: null)
        );
        if (_watches.TryAdd(processId, watch))
            await watch.StartAsync(limits).ConfigureAwait(false);
    }

    /// <summary>Reports that a watched process is running.</summary>
    public void OnRunning(int processId)
    {
        if (_watches.TryGetValue(processId, out var watch))
            watch.BeginPolling();
    }

    /// <summary>Ends watching and waits for the dump in progress.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _ended, 1) == 1)
            return;
        foreach (var watch in _watches.Values)
            await watch.DisposeAsync().ConfigureAwait(false);
        if (_port is not null)
            await _port.DisposeAsync().ConfigureAwait(false);
        _taker.Dispose();
    }

    /// <summary>Adds the dumps to the description of the recording.</summary>
    /// <param name="recording">The recording.</param>
    /// <param name="ended">Whether the recording has ended; then it also lists triggers that did not act.</param>
    public Recording Describe(Recording recording, bool ended)
    {
        var taken = _taker.Taken;
        List<DumpNotTaken> notTaken = [.. _taker.NotTaken];
        if (ended)
        {
            notTaken.AddRange(
                _plan
                    .Triggers.Where(trigger =>
                        taken.All(dump => dump.Trigger != trigger.Text) && notTaken.All(dump => dump.Trigger != trigger.Text)
                    )
                    .Select(trigger => new DumpNotTaken(trigger.Text, WhyNot(trigger, recording)))
            );
        }

        return recording with
        {
            Dumps = taken,
            DumpsNotTaken = notTaken,
        };
    }

    private string WhyNot(DumpTrigger trigger, Recording recording)
    {
        if (recording.Processes.Count == 0)
            return "no process was recorded";
        if (
            recording.Processes.All(process =>
                process.Runtime.Length == 0 || !process.Runtime.StartsWith(".NET ", StringComparison.Ordinal)
            )
        )
            return "the recorded processes have no runtime that writes dumps; this needs .NET Core 3.1 or later (not Mono or .NET Framework)";
        var problem = string.Join("; ", _watches.Values.Select(watch => watch.Problem).Where(text => text.Length > 0).Distinct());
        var nearest = string.Join(
            "; ",
            _watches.Values.Select(watch => watch.Nearest(trigger)).Where(text => text.Length > 0).Select(text => $" ({text})")
        );
        return problem.Length > 0
            ? problem
            : trigger.Kind switch
            {
                DumpTriggerKind.GcPause => $"no GC paused the program for that long{nearest}",
                DumpTriggerKind.Memory => $"the resident memory never exceeded the limit{nearest}",
                DumpTriggerKind.Hang => $"the program never stood still for that long{nearest}",
                _ =>
                    $"there was no {trigger.Describe()}{(_port is null ? "" : ", or the program loads no startup hooks (trimmed, native AOT)")}",
            };
    }

    private async Task TakeAsync(HookRequest request, Func<Task<bool>> release)
    {
        // SDK tools inherit the hook as they inherit the diagnostic port. They are not recorded, so their threads are released at once.
        var triggers = _plan.Triggers.Where(trigger => trigger.Exception is not null).ToList();
        if (!_watches.ContainsKey(request.ProcessId) || request.Trigger >= triggers.Count)
            return;
        await TakeAsync(
                new DumpCause(request.ProcessId, triggers[request.Trigger], request.Ticks)
                {
                    ThreadId = request.ThreadId > 0 ? request.ThreadId : null,
                    ManagedThreadId = request.ManagedThreadId,
                    ExceptionType = request.ExceptionType,
                    Message = request.Message,
                    ThrowNumber = request.ThrowNumber,
                    Waits = true,
                },
                release
            )
            .ConfigureAwait(false);
    }

    private async Task TakeAsync(DumpCause cause, Func<Task<bool>>? release)
    {
        await _taker.TakeAsync(cause, release).ConfigureAwait(false);
        Changed?.Invoke();
    }
}
