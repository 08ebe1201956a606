using System.Collections.Concurrent;
using System.IO.Pipes;
using System.Net.Sockets;
using System.Threading.Channels;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// A diagnostic port on which every .NET runtime of a process tree announces itself, suspended before it runs any managed code.
/// </summary>
/// <remarks>
/// <para>
/// DOTNET_DiagnosticPorts is inherited, so child processes also stop here and would hang unless each is resumed. The client library's
/// connector accepts only one runtime; this port accepts all of them.
/// </para>
/// <para>
/// A runtime uses a connection for one command, then connects again with the same cookie. So connections are queued by cookie: the first
/// one creates a <see cref="ConnectedRuntime"/>, later ones serve its next commands. Remaining connections stay open and unanswered until
/// the port is closed:
/// if they were closed, the runtime would reconnect endlessly.
/// </para>
/// </remarks>
public sealed class ReversedDiagnosticPort : IAsyncDisposable
{
    /// <summary>Time limit for the advertisement of a connected peer.</summary>
    private static readonly TimeSpan s_advertiseLimit = TimeSpan.FromSeconds(5);

    /// <summary>Pause before a connection is accepted again when no file could be opened for it.</summary>
    private static readonly TimeSpan s_retryAccept = TimeSpan.FromMilliseconds(200);

    /// <summary>Path of the Unix socket, or name of the pipe on Windows.</summary>
    private readonly string _path;

    /// <summary>Listening socket; null on Windows.</summary>
    private readonly Socket? _socket;

    private readonly CancellationTokenSource _closing = new();

    /// <summary>Runtimes by cookie. A process that execs another program connects as a new runtime with the same process id.</summary>
    private readonly ConcurrentDictionary<Guid, ConnectedRuntime> _runtimes = new();

    /// <summary>Runtimes that no caller has taken yet.</summary>
    private readonly Channel<ConnectedRuntime> _arrivals = Channel.CreateUnbounded<ConnectedRuntime>();

    private readonly Task _accepting;

    /// <summary>1 once the port is closed.</summary>
    private int _closed;

    private ReversedDiagnosticPort(string path, Socket? socket)
    {
        _path = path;
        _socket = socket;
        _accepting = Task.Run(AcceptLoopAsync);
    }

    /// <summary>Path of the Unix socket, or name of the pipe on Windows; unique.</summary>
    public string Address => _path;

    /// <summary>Value of the environment variable DOTNET_DiagnosticPorts: runtimes connect here and wait to be resumed.</summary>
    public string EnvironmentValue => _path + ",suspend";

    /// <summary>Runtimes in the order of their connection; the sequence ends when the port is closed.</summary>
    public IAsyncEnumerable<ConnectedRuntime> Arrivals => _arrivals.Reader.ReadAllAsync();

    /// <summary>Opens a port with a unique name in the temporary folder (Windows: a named pipe).</summary>
    /// <exception cref="IOException">The socket cannot be created; the message has the path and the fix.</exception>
    public static ReversedDiagnosticPort Open()
    {
        var name = $"esp-{Environment.ProcessId}-{Guid.NewGuid():N}"[..24];
        if (OperatingSystem.IsWindows())
            return new ReversedDiagnosticPort(name, null);

        var path = Path.Combine(Path.GetTempPath(), name + ".sock");
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(new UnixDomainSocketEndPoint(path));
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
            socket.Listen(64);
            return new ReversedDiagnosticPort(path, socket);
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            socket.Dispose();
            throw new ProblemException(
                new Problem(
                    $"cannot open a diagnostic port: {exception.Message.TrimEnd('.')}",
                    path,
                    "set TMPDIR to a writable folder with a short path"
                ),
                exception
            );
        }
    }

    /// <summary>Closes the port and every connection. A runtime that was never resumed stays suspended: end its process first.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _closed, 1) == 1)
            return;
        await _closing.CancelAsync().ConfigureAwait(false);
        _socket?.Dispose();
        await _accepting.ConfigureAwait(false);
        foreach (var runtime in _runtimes.Values)
            runtime.Dispose();
        if (_socket is not null)
            File.Delete(_path);
        _closing.Dispose();
    }

    private async Task AcceptLoopAsync()
    {
        try
        {
            while (!_closing.IsCancellationRequested)
            {
                Stream connection;
                try
                {
                    connection = await AcceptAsync(_closing.Token).ConfigureAwait(false);
                }
                catch (SocketException exception) when (exception.SocketErrorCode == SocketError.TooManyOpenSockets)
                {
                    // Runtimes wait in the queue until others end: without the port they would wait for ever.
                    await Task.Delay(s_retryAccept, _closing.Token).ConfigureAwait(false);
                    continue;
                }

                _ = Task.Run(() => WelcomeAsync(connection));
            }
        }
        catch (Exception exception)
            when (exception is OperationCanceledException or SocketException or ObjectDisposedException or IOException)
        {
            // The port was closed or cannot accept more; existing connections continue.
        }
        finally
        {
            _arrivals.Writer.TryComplete();
        }
    }

    private async Task<Stream> AcceptAsync(CancellationToken cancellation)
    {
        if (_socket is not null)
            return new NetworkStream(await _socket.AcceptAsync(cancellation).ConfigureAwait(false), ownsSocket: true);

        var pipe = new NamedPipeServerStream(
            _path,
            PipeDirection.InOut,
            NamedPipeServerStream.MaxAllowedServerInstances,
            PipeTransmissionMode.Byte,
            PipeOptions.Asynchronous
        );
        await pipe.WaitForConnectionAsync(cancellation).ConfigureAwait(false);
        return pipe;
    }

    private async Task WelcomeAsync(Stream connection)
    {
        try
        {
            var advertisement = new byte[DiagnosticIpc.AdvertisementLength];
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(_closing.Token);
            limit.CancelAfter(s_advertiseLimit);
            await connection.ReadExactlyAsync(advertisement, limit.Token).ConfigureAwait(false);
            if (!DiagnosticIpc.TryReadAdvertisement(advertisement, out var cookie, out var processId))
                throw new IOException("not a runtime's advertisement");

            var fresh = new ConnectedRuntime(processId, cookie);
            var runtime = _runtimes.GetOrAdd(cookie, fresh);
            runtime.Enqueue(connection);
            if (ReferenceEquals(runtime, fresh))
                _arrivals.Writer.TryWrite(runtime);
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException or ObjectDisposedException)
        {
            // Not a runtime, or one that ended while it connected: there is nothing to resume.
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }
}
