using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Sessions.Recordings;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Watches a recorded process for what needs no thread to be held: its memory, pauses, progress, and the exceptions of a process that runs already. Each trigger acts once.</summary>
internal sealed class ProcessWatch : IAsyncDisposable
{
    /// <summary>How often memory and progress are looked at.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    /// <summary>Share of a processor that a process uses which does nothing: timers, and what the recording itself makes it do.</summary>
    private const double IdleShare = 0.02;

    /// <summary>CPU time that is no progress in any case: two ticks of the clock by which Linux counts it.</summary>
    private const double IdleSeconds = 0.02;

    private readonly int _processId;
    private readonly Func<DumpCause, Task> _take;

    /// <summary>Guards what follows; handlers and the polling are of several threads.</summary>
    private readonly Lock _gate = new();

    /// <summary>Triggers that have not acted yet.</summary>
    private readonly List<DumpTrigger> _left;

    /// <summary>Matching throws so far, by trigger.</summary>
    private readonly Dictionary<DumpTrigger, long> _thrown = [];

    /// <summary>Dumps that were asked for.</summary>
    private readonly List<Task> _taking = [];

    /// <summary>The most that was seen of what a trigger waits for, in its unit.</summary>
    private readonly Dictionary<DumpTriggerKind, double> _most = [];

    private readonly CancellationTokenSource _end = new();
    private TriggerEvents? _events;
    private Task _polling = Task.CompletedTask;

    /// <summary>When the program last showed progress, in ticks of Stopwatch.</summary>
    private long _progressTicks = Stopwatch.GetTimestamp();

    /// <summary>Whether it marks runs: then only marks are progress.</summary>
    private bool _marks;

    /// <summary>Its CPU time at its last progress.</summary>
    private TimeSpan _cpu;

    /// <summary>Creates it.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="triggers">What to watch for.</param>
    /// <param name="take">Takes a dump; called on threads of its own.</param>
    public ProcessWatch(int processId, IReadOnlyList<DumpTrigger> triggers, Func<DumpCause, Task> take)
    {
        _processId = processId;
        _left = [.. triggers];
        _take = take;
    }

    /// <summary>Why it could not be watched; empty when it could.</summary>
    public string Problem { get; private set; } = "";

    /// <summary>Looks at memory and progress from now on; not before the process runs: a runtime that waits to be resumed writes no dump.</summary>
    public void BeginPolling()
    {
        lock (_gate)
        {
            _progressTicks = Stopwatch.GetTimestamp();
            if (_left.Any(trigger => trigger.Kind is DumpTriggerKind.Memory or DumpTriggerKind.Hang))
                _polling = Task.Run(PollAsync);
        }
    }

    /// <summary>Hears events from now on.</summary>
    public async Task StartAsync(RecordLimits limits)
    {
        var kinds = _left.Select(trigger => trigger.Kind).ToHashSet();
        if (!kinds.Contains(DumpTriggerKind.GcPause) && !kinds.Contains(DumpTriggerKind.Exception) && !kinds.Contains(DumpTriggerKind.Hang))
            return;
        try
        {
            using var limit = new CancellationTokenSource(limits.Answer);
            _events = await TriggerEvents.StartAsync(
                _processId,
                kinds.Contains(DumpTriggerKind.GcPause) ? OnPause : null,
                kinds.Contains(DumpTriggerKind.Exception) ? OnThrow : null,
                kinds.Contains(DumpTriggerKind.Hang) ? OnMark : null,
                limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or OperationCanceledException or TimeoutException or UnauthorizedAccessException)
        {
            Problem = $"process {_processId} could not be watched: {(exception is OperationCanceledException ? "its runtime did not answer in time" : exception.Message)}";
        }
    }

    /// <summary>The most that was seen of what a trigger waits for, for people; empty when nothing was.</summary>
    public string Nearest(DumpTrigger trigger)
    {
        lock (_gate)
        {
            return !_most.TryGetValue(trigger.Kind, out var most) ? "" : trigger.Kind switch
            {
                DumpTriggerKind.GcPause => string.Create(CultureInfo.InvariantCulture, $"the longest was {most:0.0} ms"),
                DumpTriggerKind.Memory => string.Create(CultureInfo.InvariantCulture, $"the most was {most:0.0} MB"),
                DumpTriggerKind.Hang => string.Create(CultureInfo.InvariantCulture, $"the longest time without progress was {most:0.0} s"),
                _ => "",
            };
        }
    }

    /// <summary>Ends watching and waits for the dumps that were asked for.</summary>
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
                Reached(DumpTriggerKind.Memory, megabytes, now, () => string.Create(CultureInfo.InvariantCulture, $"{megabytes:0.0} MB were resident"));
                var seconds = Stopwatch.GetElapsedTime(_progressTicks, now).TotalSeconds;
                if (!_marks && (usage.HasChildren || (usage.Cpu - _cpu).TotalSeconds > IdleSeconds + (IdleShare * seconds)))
                {
                    _progressTicks = now;
                    _cpu = usage.Cpu;
                    seconds = 0;
                }

                Reached(DumpTriggerKind.Hang, seconds, now, () => string.Create(CultureInfo.InvariantCulture, $"{(_marks ? "no run had begun or ended" : "nearly no CPU time had been used")} for {seconds:0.0} s"));
            }

            await Task.Delay(s_interval, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Whether processes that it waits for would be progress.</summary>
    private bool WaitsForHang()
    {
        lock (_gate)
            return !_marks && _left.Any(trigger => trigger.Kind == DumpTriggerKind.Hang);
    }

    private void OnPause(long start, long stop)
    {
        var milliseconds = Stopwatch.GetElapsedTime(start, stop).TotalMilliseconds;
        lock (_gate)
            Reached(DumpTriggerKind.GcPause, milliseconds, stop, () => string.Create(CultureInfo.InvariantCulture, $"a collection had paused the program for {milliseconds:0.0} ms"));
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
            foreach (var trigger in _left.Where(trigger => trigger.Exception is { } wanted && wanted.IsType(type) && wanted.IsMessage(message)).ToList())
            {
                var number = _thrown[trigger] = _thrown.GetValueOrDefault(trigger) + 1;
                if (number == trigger.Exception!.Number)
                    Take(new DumpCause(_processId, trigger, time) { ThreadId = threadId, ExceptionType = type, Message = message, ThrowNumber = number });
            }
        }
    }

    /// <summary>Notes a value and takes a dump for each trigger that it exceeds; under the lock.</summary>
    private void Reached(DumpTriggerKind kind, double value, long moment, Func<string> note)
    {
        if (!_most.TryGetValue(kind, out var most) || value > most)
            _most[kind] = value;
        for (var i = _left.Count - 1; i >= 0; i--)
        {
            if (_left[i] is { } trigger && trigger.Kind == kind && value > trigger.Limit)
                Take(new DumpCause(_processId, trigger, moment) { Note = note() });
        }
    }

    /// <summary>Has the dump taken elsewhere: neither the reader of events nor the polling waits for it.</summary>
    private void Take(DumpCause cause)
    {
        _left.Remove(cause.Trigger);
        _taking.Add(Task.Run(() => _take(cause)));
    }
}
