using System.Net.Sockets;
using EtwSerializerProfiler.Sessions.EventPipe;

namespace EtwSerializerProfiler.Sessions.Tests;

public class ReversedDiagnosticPortTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Runtimes_are_distinguished_by_cookie_and_foreign_peers_do_not_disturb()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Unix sockets");
        await using var port = ReversedDiagnosticPort.Open();
        var path = port.EnvironmentValue.Split(',')[0];

        using var foreign = await ConnectAsync(path, new byte[34]);
        using var silent = await ConnectAsync(path, []);
        var cookie = Guid.NewGuid();
        using var first = await ConnectAsync(path, Advertise(cookie, 42));
        using var again = await ConnectAsync(path, Advertise(cookie, 42));
        using var other = await ConnectAsync(path, Advertise(Guid.NewGuid(), 43));

        var arrivals = new List<int>();
        await foreach (var runtime in port.Arrivals.WithCancellation(Cancellation))
        {
            arrivals.Add(runtime.ProcessId);
            if (arrivals.Count == 2)
                break;
        }

        Assert.Equal([42, 43], arrivals.Order());
    }

    [Fact]
    public async Task Closing_the_port_removes_its_socket_and_ends_the_arrivals()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Unix sockets");
        var port = ReversedDiagnosticPort.Open();
        var path = port.EnvironmentValue.Split(',')[0];
        Assert.True(File.Exists(path));

        await port.DisposeAsync();
        await port.DisposeAsync();

        Assert.False(File.Exists(path));
        await foreach (var _ in port.Arrivals)
            Assert.Fail("nobody connected");
    }

    private static byte[] Advertise(Guid cookie, ulong processId) =>
        [.. "ADVR_V1\0"u8, .. cookie.ToByteArray(), .. BitConverter.GetBytes(processId), 0, 0];

    private static async Task<Socket> ConnectAsync(string path, byte[] bytes)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), Cancellation);
        await socket.SendAsync(bytes, Cancellation);
        return socket;
    }
}
