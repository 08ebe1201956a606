using System.Diagnostics;
using System.Threading.Channels;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>A runtime that connected to a <see cref="ReversedDiagnosticPort"/> and waits to be resumed.</summary>
public sealed class ConnectedRuntime : IDisposable
{
    /// <summary>Unused connections of this runtime; each serves one command.</summary>
    private readonly Channel<Stream> _connections = Channel.CreateUnbounded<Stream>();

    internal ConnectedRuntime(int processId, Guid cookie)
    {
        ProcessId = processId;
        Cookie = cookie;
    }

    /// <summary>Process id of the runtime.</summary>
    public int ProcessId { get; }

    /// <summary>Time of the connection, when the runtime began to wait, in ticks of <see cref="Stopwatch"/>.</summary>
    public long ArrivedTicks { get; } = Stopwatch.GetTimestamp();

    /// <summary>Identity of this runtime instance; a process gets another one after exec.</summary>
    public Guid Cookie { get; }

    /// <summary>Queries command line and version; empty strings before .NET 6, which does not provide them.</summary>
    /// <exception cref="OperationCanceledException">The runtime did not answer in time.</exception>
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

    /// <summary>Resumes the runtime.</summary>
    /// <exception cref="IOException">The runtime has ended or refused.</exception>
    /// <exception cref="OperationCanceledException">The runtime did not answer in time.</exception>
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
