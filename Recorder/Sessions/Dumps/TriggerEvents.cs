using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Traces.Events;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// Events of a process that decide about a dump, read as they arrive. They have their own session, so that those of the recording only need
/// to be written. A runtime delivers events ten times a second.
/// </summary>
internal sealed class TriggerEvents : IAsyncDisposable
{
    private const int BufferMegabytes = 16;

    /// <summary>
    /// Counters of the runtime, four times a second. A reader delivers an event only after later events confirm its order, so without them
    /// an exception before a silence would arrive at the end of the silence (measured: 4 s).
    /// </summary>
    private static readonly EventPipeProvider s_pulse = new(
        "System.Runtime",
        EventLevel.Informational,
        0,
        new Dictionary<string, string> { ["EventCounterIntervalSec"] = "0.25" }
    );

    /// <summary>How long to wait for the end of the stream.</summary>
    private static readonly TimeSpan s_endLimit = TimeSpan.FromSeconds(5);

    private readonly EventPipeSession _session;
    private readonly Task _reading;

    private TriggerEvents(EventPipeSession session, Task reading)
    {
        _session = session;
        _reading = reading;
    }

    /// <summary>Called with start and end of each GC pause, in ticks of the trace's clock.</summary>
    public delegate void PauseHandler(long start, long stop);

    /// <summary>Called at each throw.</summary>
    public delegate void ThrowHandler(long time, long threadId, string type, string message);

    /// <summary>Called at each mark of a run.</summary>
    public delegate void MarkHandler(long time);

    /// <summary>Starts the session. Events whose handler is null are not recorded.</summary>
    /// <exception cref="DiagnosticsClientException">The process refused or has ended.</exception>
    /// <exception cref="OperationCanceledException">It did not answer in time.</exception>
    public static async Task<TriggerEvents> StartAsync(
        int processId,
        PauseHandler? onPause,
        ThrowHandler? onThrow,
        MarkHandler? onMark,
        CancellationToken cancellation
    )
    {
        var keywords = EventOrigins.Keywords((onPause is null ? 0 : EventKinds.Gc) | (onThrow is null ? 0 : EventKinds.Exceptions));
        var providers = new List<EventPipeProvider> { s_pulse };
        if (keywords != 0)
            providers.Add(new EventPipeProvider(EventOrigins.RuntimeProvider, EventLevel.Informational, (long)keywords));
        if (onMark is not null)
            providers.Add(new EventPipeProvider(RunEventSource.ProviderName, EventLevel.Informational));
        var client = await DiagnosticPort.OpenAsync(processId, cancellation).ConfigureAwait(false);
        var session = await client
            .StartEventPipeSessionAsync(providers, requestRundown: false, BufferMegabytes, cancellation)
            .ConfigureAwait(false);
        return new TriggerEvents(
            session,
            Task.Factory.StartNew(
                () => Read(session, onPause, onThrow, onMark),
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default
            )
        );
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            using var limit = new CancellationTokenSource(s_endLimit);
            await _session.StopAsync(limit.Token).ConfigureAwait(false);
            await _reading.WaitAsync(s_endLimit).ConfigureAwait(false);
        }
        catch (Exception exception)
            when (exception is DiagnosticsClientException or IOException or TimeoutException or OperationCanceledException)
        {
            // The process has ended or does not answer: no more events will arrive.
        }

        _session.Dispose();
    }

    private static void Read(EventPipeSession session, PauseHandler? onPause, ThrowHandler? onThrow, MarkHandler? onMark)
    {
        try
        {
            using var source = new EventPipeEventSource(session.EventStream);
            if (onPause is not null)
                HearPauses(source, onPause);
            if (onThrow is not null)
            {
                source.Clr.ExceptionStart += data =>
                {
                    // A rethrown exception does not count again.
                    if ((data.ExceptionFlags & ExceptionThrownFlags.ReThrown) == 0)
                        onThrow(TimeOf(data), data.ThreadID, data.ExceptionType, data.ExceptionMessage);
                };
            }

            if (onMark is not null)
            {
                source.AllEvents += data =>
                {
                    if (data.ProviderName == RunEventSource.ProviderName)
                        onMark(TimeOf(data));
                };
            }

            source.Process();
        }
#pragma warning disable CA1031 // the decoder may throw anything for a truncated stream; the recording itself is written elsewhere
        catch (Exception exception) when (exception is not OutOfMemoryException)
#pragma warning restore CA1031
        { }
    }

    private static void HearPauses(EventPipeEventSource source, PauseHandler onPause)
    {
        long? start = null;
        source.Clr.GCSuspendEEStart += data =>
            start = data.Reason is GCSuspendEEReason.SuspendForGC or GCSuspendEEReason.SuspendForGCPrep ? TimeOf(data) : null;
        source.Clr.GCRestartEEStop += data =>
        {
            if (start is { } begin)
                onPause(begin, TimeOf(data));
            start = null;
        };
    }

#pragma warning disable CS0618 // discouraged for callers that do not need ticks; relative times are double
    private static long TimeOf(TraceEvent data) => data.TimeStampQPC;
#pragma warning restore CS0618
}
