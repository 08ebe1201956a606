using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Recordings;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// Watches a recorded process for triggers that hold no thread: memory, pauses, progress, and the exceptions of a running process. Each
/// trigger acts once.
/// </summary>
internal sealed class ProcessWatch : IAsyncDisposable
{
    /// <summary>Interval between checks of memory and progress.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    /// <summary>Share of a processor that an idle process may use: its timers, and the work that the recording causes.</summary>
    private const double IdleShare = 0.02;

    /// <summary>CPU time that never counts as progress: two ticks of the clock that Linux uses for CPU time.</summary>
    private const double IdleSeconds = 0.02;

    private readonly int _processId;
    private readonly Func<DumpCause, Task> _take;

    /// <summary>Guards the fields below; event handlers and polling use different threads.</summary>
    private readonly Lock _gate = new();

    /// <summary>Triggers that have not acted yet.</summary>
    private readonly List<DumpTrigger> _left;

    /// <summary>Number of matching throws, by trigger.</summary>
    private readonly Dictionary<DumpTrigger, long> _thrown = [];

    /// <summary>Dumps in progress.</summary>
    private readonly List<Task> _taking = [];

    /// <summary>Highest value seen for each kind of trigger, in its unit.</summary>
    private readonly Dictionary<DumpTriggerKind, double> _max = [];

    private readonly CancellationTokenSource _end = new();
    private TriggerEvents? _events;
    private Task _polling = Task.CompletedTask;

    /// <summary>Time of the program's last progress, in Stopwatch ticks.</summary>
    private long _progressTicks = Stopwatch.GetTimestamp();

    /// <summary>Whether the process marks runs; then only marks count as progress.</summary>
    private bool _marks;

    /// <summary>CPU time of the process at its last progress.</summary>
    private TimeSpan _cpu;

    /// <summary>Creates a watch.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="triggers">The triggers to watch for.</param>
    /// <param name="take">Takes a dump; called on other threads.</param>
    public ProcessWatch(int processId, IReadOnlyList<DumpTrigger> triggers, Func<DumpCause, Task> take)
    {
        _processId = processId;
        _left = [.. triggers];
        _take = take;
    }

    /// <summary>Why the process could not be watched; empty when it could.</summary>
    public string Problem { get; private set; } = "";

    /// <summary>
    /// Starts checking memory and progress. Must not be called before the process runs: a runtime that waits to be resumed writes no dump.
    /// </summary>
    public void BeginPolling()
    {
        lock (_gate)
        {
            _progressTicks = Stopwatch.GetTimestamp();
            if (_left.Any(trigger => trigger.Kind is DumpTriggerKind.Memory or DumpTriggerKind.Hang))
                _polling = Task.Run(PollAsync);
        }
    }

    /// <summary>Starts receiving events.</summary>
    public async Task StartAsync(RecordLimits limits)
    {
        var kinds = _left.Select(trigger => trigger.Kind).ToHashSet();
        if (!kinds.Contains(DumpTriggerKind.GcPause) && !kinds.Contains(DumpTriggerKind.Exception) && !kinds.Contains(DumpTriggerKind.Hang))
            return;
        try
        {
            using var limit = new CancellationTokenSource(limits.Answer);
            _events = await TriggerEvents
                .StartAsync(
                    _processId,
                    kinds.Contains(DumpTriggerKind.GcPause) ? OnPause : null,
                    kinds.Contains(DumpTriggerKind.Exception) ? OnThrow : null,
                    kinds.Contains(DumpTriggerKind.Hang) ? OnMark : null,
                    limit.Token
                )
                .ConfigureAwait(false);
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
            Problem =
                $"process {_processId} could not be watched: {(exception is OperationCanceledException ? "its runtime did not answer in time" : exception.Message)}";
        }
    }

    /// <summary>Describes the highest value seen for a trigger; empty when there was none.</summary>
    public string Nearest(DumpTrigger trigger)
    {
        lock (_gate)
        {
            return !_max.TryGetValue(trigger.Kind, out var max)
                ? ""
                : trigger.Kind switch
                {
                    DumpTriggerKind.GcPause => string.Create(CultureInfo.InvariantCulture, $"the longest was {max:0.0} ms"),
                    DumpTriggerKind.Memory => string.Create(CultureInfo.InvariantCulture, $"the maximum was {max:0.0} MB"),
                    DumpTriggerKind.Hang => string.Create(
                        CultureInfo.InvariantCulture,
                        $"the longest time without progress was {max:0.0} s"
                    ),
                    _ => "",
                };
        }
    }

    /// <summary>Ends watching and waits for the dumps in progress.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _polling.ConfigureAwait(false);
        if (_events is not null)
            await _events.DisposeAsync().ConfigureAwait(false);
        List<Task> taking;
        lock (_gate)
        {
            _left.Clear();
            taking = [.. _taking];
        }

        await Task.WhenAll(taking).ConfigureAwait(false);
        _end.Dispose();
    }

    private async Task PollAsync()
    {
        while (!_end.IsCancellationRequested && ProcessUsage.Read(_processId, WaitsForHang()) is { } usage)
        {
            var now = Stopwatch.GetTimestamp();
            lock (_gate)
            {
                var megabytes = usage.ResidentBytes / 1e6;
                Reached(
                    DumpTriggerKind.Memory,
                    megabytes,
                    now,
                    () => string.Create(CultureInfo.InvariantCulture, $"{megabytes:0.0} MB were resident")
                );
                var seconds = Stopwatch.GetElapsedTime(_progressTicks, now).TotalSeconds;
                if (!_marks && (usage.HasChildren || (usage.Cpu - _cpu).TotalSeconds > IdleSeconds + (IdleShare * seconds)))
                {
                    _progressTicks = now;
                    _cpu = usage.Cpu;
                    seconds = 0;
                }

                Reached(
                    DumpTriggerKind.Hang,
                    seconds,
                    now,
                    () =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{(_marks ? "no run had begun or ended" : "nearly no CPU time had been used")} for {seconds:0.0} s"
                        )
                );
            }

            await Task.Delay(s_interval, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Whether running child processes count as progress.</summary>
    private bool WaitsForHang()
    {
        lock (_gate)
            return !_marks && _left.Any(trigger => trigger.Kind == DumpTriggerKind.Hang);
    }

    private void OnPause(long start, long stop)
    {
        var milliseconds = Stopwatch.GetElapsedTime(start, stop).TotalMilliseconds;
        lock (_gate)
            Reached(
                DumpTriggerKind.GcPause,
                milliseconds,
                stop,
                () => string.Create(CultureInfo.InvariantCulture, $"a GC paused the program for {milliseconds:0.0} ms")
            );
    }

    private void OnMark(long time)
    {
        lock (_gate)
        {
            _marks = true;
            _progressTicks = Math.Max(_progressTicks, time);
        }
    }

    private void OnThrow(long time, long threadId, string type, string message)
    {
        lock (_gate)
        {
            foreach (
                var trigger in _left
                    .Where(trigger => trigger.Exception is { } wanted && wanted.IsType(type) && wanted.IsMessage(message))
                    .ToList()
            )
            {
                var number = _thrown[trigger] = _thrown.GetValueOrDefault(trigger) + 1;
                if (number == trigger.Exception!.Number)
                    Take(
                        new DumpCause(_processId, trigger, time)
                        {
                            ThreadId = threadId,
                            ExceptionType = type,
                            Message = message,
                            ThrowNumber = number,
                        }
                    );
            }
        }
    }

    /// <summary>Records a value and takes a dump for each trigger that it exceeds. The caller holds the lock.</summary>
    private void Reached(DumpTriggerKind kind, double value, long moment, Func<string> note)
    {
        if (!_max.TryGetValue(kind, out var max) || value > max)
            _max[kind] = value;
        for (var i = _left.Count - 1; i >= 0; i--)
        {
            if (_left[i] is { } trigger && trigger.Kind == kind && value > trigger.Limit)
                Take(new DumpCause(_processId, trigger, moment) { Note = note() });
        }
    }

    /// <summary>Takes the dump on another thread, so that neither event reader nor polling waits for it.</summary>
    private void Take(DumpCause cause)
    {
        _left.Remove(cause.Trigger);
        _taking.Add(Task.Run(() => _take(cause)));
    }
}
