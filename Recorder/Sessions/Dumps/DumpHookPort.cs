using System.Buffers.Binary;
using System.Net.Sockets;
using EtwSerializerProfiler.DumpHook;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>
/// A Unix socket (also on Windows 10 and later) on which held threads of the recorded programs request their dump. When the recorder ends,
/// the closed socket releases them.
/// </summary>
internal sealed class DumpHookPort : IAsyncDisposable
{
    /// <summary>Time limit for a peer's request, and for its report that it was held.</summary>
    private static readonly TimeSpan s_peerLimit = TimeSpan.FromSeconds(5);

    private readonly Socket _socket;
    private readonly Func<HookRequest, Func<Task<bool>>, Task> _take;

    /// <summary>Ends the accept loop; connections that wait for a dump still get it.</summary>
    private readonly CancellationTokenSource _closing = new();

    private readonly Task _accepting;

    private DumpHookPort(string path, Socket socket, Func<HookRequest, Func<Task<bool>>, Task> take)
    {
        Path = path;
        _socket = socket;
        _take = take;
        _accepting = Task.Run(AcceptLoopAsync);
    }

    /// <summary>Path of the socket.</summary>
    public string Path { get; }

    /// <summary>Opens a port with a unique name in the temporary folder.</summary>
    /// <param name="take">
    /// Answers a request. Its second argument releases the thread and returns whether the thread was held until then. When the method
    /// returns, the thread is released in any case.
    /// </param>
    /// <exception cref="IOException">The socket cannot be created.</exception>
    public static DumpHookPort Open(Func<HookRequest, Func<Task<bool>>, Task> take)
    {
        var path = System.IO.Path.Combine(
            System.IO.Path.GetTempPath(),
            $"esp-dump-{Environment.ProcessId}-{Guid.NewGuid():N}"[..28] + ".sock"
        );
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(new UnixDomainSocketEndPoint(path));
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
            socket.Listen(64);
            return new DumpHookPort(path, socket, take);
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            socket.Dispose();
            throw new ProblemException(
                new Problem(
                    $"cannot open a socket for dumps: {exception.Message.TrimEnd('.')}",
                    path,
                    "set TMPDIR to a writable folder with a short path"
                ),
                exception
            );
        }
    }

    /// <summary>Closes the port; returns after all waiting threads were released.</summary>
    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _socket.Dispose();
        File.Delete(Path);
        _closing.Dispose();
    }

    private async Task AcceptLoopAsync()
    {
        var answered = new List<Task>();
        try
        {
            while (true)
            {
                var connection = await _socket.AcceptAsync(_closing.Token).ConfigureAwait(false);
                answered.RemoveAll(task => task.IsCompleted);
                answered.Add(Task.Run(() => AnswerAsync(connection)));
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            // The port was closed, or the machine has no more connections: programs continue without dumps.
        }

        await Task.WhenAll(answered).ConfigureAwait(false);
    }

    private async Task AnswerAsync(Socket connection)
    {
        using (connection)
        {
            try
            {
                if (await ReadAsync(connection).ConfigureAwait(false) is { } request)
                    await _take(request, () => ReleaseAsync(connection)).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is SocketException or OperationCanceledException or IOException)
            {
                // The program has ended, or is not one of ours: closing the connection releases its thread.
            }
        }
    }

    private static async Task<HookRequest?> ReadAsync(Socket connection)
    {
        using var limit = new CancellationTokenSource(s_peerLimit);
        var length = new byte[4];
        await ReceiveAllAsync(connection, length, limit.Token).ConfigureAwait(false);
        var bytes = BinaryPrimitives.ReadInt32LittleEndian(length);
        if (bytes is < 1 or > HookRequest.MaxBytes)
            return null;
        var text = new byte[bytes];
        await ReceiveAllAsync(connection, text, limit.Token).ConfigureAwait(false);
        return HookRequest.Read(text);
    }

    private static async Task<bool> ReleaseAsync(Socket connection)
    {
        using var limit = new CancellationTokenSource(s_peerLimit);
        try
        {
            await connection.SendAsync(new[] { HookRequest.Release }, limit.Token).ConfigureAwait(false);
            var answer = new byte[1];
            return await connection.ReceiveAsync(answer, limit.Token).ConfigureAwait(false) == 1 && answer[0] == HookRequest.WasHeld;
        }
        catch (Exception exception) when (exception is SocketException or OperationCanceledException)
        {
            return false; // the thread no longer waits
        }
    }

    private static async Task ReceiveAllAsync(Socket connection, Memory<byte> buffer, CancellationToken cancellation)
    {
        while (buffer.Length > 0)
        {
            var count = await connection.ReceiveAsync(buffer, cancellation).ConfigureAwait(false);
            if (count == 0)
                throw new IOException("the peer has ended");
            buffer = buffer[count..];
        }
    }
}
