using System.Text;
using EtwSerializerProfiler.Sessions.EventPipe;

namespace EtwSerializerProfiler.Sessions.Tests;

public class DiagnosticIpcTests
{
    [Fact]
    public void Resume_request_is_the_header_of_the_protocol()
    {
        // "DOTNET_IPC_V1\0", size 20, set 4, command 1, reserved: ipc-protocol.md of dotnet/diagnostics
        byte[] expected = [.. "DOTNET_IPC_V1\0"u8, 20, 0, 0x04, 0x01, 0, 0];

        Assert.Equal(expected, DiagnosticIpc.ResumeRuntime);
    }

    [Fact]
    public void Reads_an_advertisement()
    {
        var cookie = Guid.NewGuid();
        byte[] bytes = [.. "ADVR_V1\0"u8, .. cookie.ToByteArray(), .. BitConverter.GetBytes(4711UL), 0, 0];

        Assert.True(DiagnosticIpc.TryReadAdvertisement(bytes, out var read, out var processId));
        Assert.Equal(cookie, read);
        Assert.Equal(4711, processId);
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")]
    [InlineData("")]
    [InlineData("ADVR_V1\0 too short")]
    public void Refuses_anything_else(string text) =>
        Assert.False(DiagnosticIpc.TryReadAdvertisement(Encoding.ASCII.GetBytes(text), out _, out _));

    [Fact]
    public void Reads_process_info_and_survives_its_truncation_anywhere()
    {
        byte[] payload = [.. new byte[24], .. Text("app x"), .. Text("Linux"), .. Text("x64"), .. Text("app"), .. Text("10.0.12+abc")];

        Assert.Equal(("app x", "10.0.12+abc"), DiagnosticIpc.ReadProcessInfo2(payload));
        for (var length = 0; length < payload.Length; length++)
            Assert.Equal("", DiagnosticIpc.ReadProcessInfo2(payload.AsSpan(0, length)).RuntimeVersion);
    }

    [Fact]
    public async Task An_error_response_is_an_exception_with_its_code()
    {
        byte[] response = [.. "DOTNET_IPC_V1\0"u8, 24, 0, 0xFF, 0xFF, 0, 0, 0x85, 0x13, 0x13, 0x80];

        var error = await Assert.ThrowsAsync<IOException>(() =>
            DiagnosticIpc.ExchangeAsync(new Conversation(response), DiagnosticIpc.ResumeRuntime, TestContext.Current.CancellationToken)
        );

        Assert.Contains("0x80131385", error.Message, StringComparison.Ordinal);
    }

    private static byte[] Text(string text) => [.. BitConverter.GetBytes(text.Length + 1), .. Encoding.Unicode.GetBytes(text + '\0')];

    /// <summary>Reads a prepared answer, forgets what is written.</summary>
    private sealed class Conversation(byte[] answer) : MemoryStream(answer)
    {
        public override bool CanWrite => true;

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            ValueTask.CompletedTask;
    }
}
