using System.Diagnostics.Tracing;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Diagnostics.NETCore.Client;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// A running EventPipe session of one process: copies its stream to a file until the process ends or the session is stopped.
/// </summary>
public sealed class EventPipeRecorder : IAsyncDisposable
{
    /// <summary>Copy block, as large as the runtime's own blocks, so that one read empties the socket.</summary>
    private const int BlockBytes = 128 * 1024;

    private readonly EventPipeSession _session;

    /// <summary>Sees the bytes before they are written; null for none.</summary>
    private readonly LiveGcs? _gcs;

    /// <summary>The copying task. Its result is an error text, empty when the stream ended normally.</summary>
    private readonly Task<string> _copying;

    private long _bytes;

    private EventPipeRecorder(string name, EventPipeSession session, Stream file, LiveGcs? gcs)
    {
        Name = name;
        _session = session;
        _gcs = gcs;
        _copying = Task.Run(() => CopyAsync(file));
    }

    /// <summary>Name of the planned session.</summary>
    public string Name { get; }

    /// <summary>Bytes written so far.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Whether the file could not be written completely because the disk was full.</summary>
    public bool CouldNotWrite { get; private set; }

    /// <summary>Completes when the stream has ended, with an error text that is empty when it ended normally.</summary>
    public Task<string> Completion => _copying;

    /// <summary>
    /// Starts <paramref name="plan"/> in a process and writes its stream to <paramref name="file"/>, which the recorder then owns.
    /// </summary>
    /// <param name="processId">The process.</param>
    /// <param name="plan">The session.</param>
    /// <param name="file">Its file.</param>
    /// <param name="gcs">Counts the GCs of the stream; null for not.</param>
    /// <param name="cancellation">Limits the waiting for the process.</param>
    /// <exception cref="DiagnosticsClientException">The process refused or has ended.</exception>
    /// <exception cref="OperationCanceledException">The process did not answer in time.</exception>
    public static async Task<EventPipeRecorder> StartAsync(
        int processId,
        PlannedSession plan,
        Stream file,
        LiveGcs? gcs,
        CancellationToken cancellation
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(file);
        var providers = plan.Providers.Select(provider => new EventPipeProvider(
            provider.Name,
            Enum.Parse<EventLevel>(provider.Level),
            unchecked((long)provider.KeywordMask),
            provider.Arguments?.ToDictionary()
        ));
        var client = await DiagnosticPort.OpenAsync(processId, cancellation).ConfigureAwait(false);
        var session = await client
            .StartEventPipeSessionAsync(
                new EventPipeSessionConfiguration(providers, plan.BufferMegabytes, plan.Rundown, requestStackwalk: !plan.HasNoStacks),
                cancellation
            )
            .ConfigureAwait(false);
        return new EventPipeRecorder(plan.Name, session, file, gcs);
    }

    /// <summary>Asks the runtime to end the session, with a rundown if planned, and waits for the last byte.</summary>
    /// <exception cref="OperationCanceledException">The session did not end in time; the file keeps what was written.</exception>
    public async Task StopAsync(CancellationToken cancellation)
    {
        try
        {
            await _session.StopAsync(cancellation).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException)
        {
            // The process has ended or is ending, so its stream ends by itself.
        }

        await _copying.WaitAsync(cancellation).ConfigureAwait(false);
    }

    /// <summary>Closes the session's connection, which makes the runtime drop the session.</summary>
    public async ValueTask DisposeAsync()
    {
        _session.Dispose();
        await _copying.ConfigureAwait(false);
    }

    private async Task<string> CopyAsync(Stream file)
    {
        var error = await CopyBlocksAsync(file).ConfigureAwait(false);
        try
        {
            await file.DisposeAsync().ConfigureAwait(false);
            return error;
        }
        catch (Exception exception) when (WriteFailure.Is(exception))
        {
            CouldNotWrite = true;
            return error.Length > 0 ? error : $"could not be completed: {exception.Message}";
        }
    }

    private async Task<string> CopyBlocksAsync(Stream file)
    {
        var block = new byte[BlockBytes];
        while (true)
        {
            int read;
            try
            {
                read = await _session.EventStream.ReadAsync(block).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is IOException or ObjectDisposedException or InvalidOperationException)
            {
                return $"the stream ended unexpectedly: {exception.Message}";
            }

            if (read == 0)
                return "";

            _gcs?.Append(block.AsSpan(0, read));
            try
            {
                await file.WriteAsync(block.AsMemory(0, read)).ConfigureAwait(false);
                Interlocked.Add(ref _bytes, read);
            }
            catch (Exception exception) when (WriteFailure.Is(exception))
            {
                // Closes the socket: without a reader, the runtime would wait for it at exit. The written part stays readable.
                _session.Dispose();
                CouldNotWrite = true;
                return $"could not be written further: {exception.Message}";
            }
        }
    }
}
