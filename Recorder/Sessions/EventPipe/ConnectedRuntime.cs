using System.Diagnostics;
using System.Threading.Channels;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>A runtime that connected to a <see cref="ReversedDiagnosticPort"/> and waits to be resumed.</summary>
public sealed class ConnectedRuntime : IDisposable
{
    /// <summary>Connections of this runtime not yet used; each serves one command.</summary>
    private readonly Channel<Stream> _connections = Channel.CreateUnbounded<Stream>();

    internal ConnectedRuntime(int processId, Guid cookie)
    {
        ProcessId = processId;
        Cookie = cookie;
    }

    /// <summary>Process id of the runtime.</summary>
    public int ProcessId { get; }

    /// <summary>When it connected and began to wait, in ticks of <see cref="Stopwatch"/>.</summary>
    public long ArrivedTicks { get; } = Stopwatch.GetTimestamp();

    /// <summary>Identity of this runtime instance; a process has another one after exec.</summary>
    public Guid Cookie { get; }

    /// <summary>Asks the runtime for its command line and version; empty strings when it cannot say (before .NET 6).</summary>
    /// <exception cref="OperationCanceledException">It did not answer in time.</exception>
    public async Task<(string CommandLine, string RuntimeVersion)> GetInfoAsync(CancellationToken cancellation)
    {
        try
        {
            return DiagnosticIpc.ReadProcessInfo2(await SendAsync(DiagnosticIpc.ProcessInfo2, cancellation).ConfigureAwait(false));
        }
        catch (IOException)
        {
            return ("", "");
        }
    }

    /// <summary>Lets the runtime run.</summary>
    /// <exception cref="IOException">It has ended, or refused.</exception>
    /// <exception cref="OperationCanceledException">It did not answer in time.</exception>
    public Task ResumeAsync(CancellationToken cancellation) => SendAsync(DiagnosticIpc.ResumeRuntime, cancellation);

    /// <summary>Closes the connections.</summary>
    public void Dispose()
    {
        _connections.Writer.TryComplete();
        while (_connections.Reader.TryRead(out var connection))
            connection.Dispose();
    }

    internal void Enqueue(Stream connection)
    {
        if (!_connections.Writer.TryWrite(connection))
            connection.Dispose();
    }

    private async Task<byte[]> SendAsync(byte[] request, CancellationToken cancellation)
    {
        await using var connection = await _connections.Reader.ReadAsync(cancellation).ConfigureAwait(false);
        return await DiagnosticIpc.ExchangeAsync(connection, request, cancellation).ConfigureAwait(false);
    }
}
