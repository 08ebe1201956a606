using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Sessions.EventPipe;

/// <summary>
/// Messages of the .NET diagnostic IPC protocol that <c>Microsoft.Diagnostics.NETCore.Client</c> supports for a single connecting runtime
/// only: the advertisement of a runtime on a reversed port, and two process commands. Sessions themselves use that library.
/// </summary>
/// <remarks>Format: documentation/design-docs/ipc-protocol.md of dotnet/diagnostics. All integers are little-endian.</remarks>
internal static class DiagnosticIpc
{
    /// <summary>Length of an advertisement: magic (8), runtime cookie (16), process id (8), reserved (2).</summary>
    public const int AdvertisementLength = 34;

    /// <summary>Command set "Process".</summary>
    private const byte ProcessCommandSet = 0x04;

    /// <summary>Command set of responses.</summary>
    private const byte ServerCommandSet = 0xFF;

    /// <summary>Command id of the response "Error".</summary>
    private const byte ErrorResponse = 0xFF;

    /// <summary>Magic (14), size (2), command set, command id, reserved (2).</summary>
    private const int HeaderLength = 20;

    private static ReadOnlySpan<byte> AdvertisementMagic => "ADVR_V1\0"u8;

    private static ReadOnlySpan<byte> MessageMagic => "DOTNET_IPC_V1\0"u8;

    /// <summary>Process command ResumeRuntime.</summary>
    public static byte[] ResumeRuntime => Request(ProcessCommandSet, 0x01);

    /// <summary>Process command ProcessInfo2 (.NET 6 and later).</summary>
    public static byte[] ProcessInfo2 => Request(ProcessCommandSet, 0x04);

    /// <summary>Parses the advertisement that a runtime sends when it connects; false when the bytes are something else.</summary>
    public static bool TryReadAdvertisement(ReadOnlySpan<byte> bytes, out Guid cookie, out int processId)
    {
        cookie = default;
        processId = 0;
        if (bytes.Length != AdvertisementLength || !bytes.StartsWith(AdvertisementMagic))
            return false;
        cookie = new Guid(bytes.Slice(8, 16));
        var id = BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]);
        if (id is 0 or > int.MaxValue)
            return false;
        processId = (int)id;
        return true;
    }

    /// <summary>Sends a request and returns the payload of its response.</summary>
    /// <exception cref="IOException">The runtime closed the connection, answered with an error, or violated the protocol.</exception>
    public static async Task<byte[]> ExchangeAsync(Stream connection, ReadOnlyMemory<byte> request, CancellationToken cancellation)
    {
        await connection.WriteAsync(request, cancellation).ConfigureAwait(false);
        await connection.FlushAsync(cancellation).ConfigureAwait(false);
        var header = new byte[HeaderLength];
        await connection.ReadExactlyAsync(header, cancellation).ConfigureAwait(false);
        if (!header.AsSpan().StartsWith(MessageMagic) || header[16] != ServerCommandSet)
            throw new IOException("The runtime's answer on its diagnostic port does not follow the protocol DOTNET_IPC_V1.");
        var payload = new byte[Math.Max(0, BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(14)) - HeaderLength)];
        await connection.ReadExactlyAsync(payload, cancellation).ConfigureAwait(false);
        if (header[17] == ErrorResponse)
            throw new IOException(
                $"The runtime refused a diagnostic command with error 0x{(payload.Length >= 4 ? BinaryPrimitives.ReadUInt32LittleEndian(payload) : 0):X8}."
            );
        return payload;
    }

    /// <summary>Extracts command line and runtime version from a ProcessInfo2 response; empty strings when it is truncated.</summary>
    public static (string CommandLine, string RuntimeVersion) ReadProcessInfo2(ReadOnlySpan<byte> payload)
    {
        // u64 process id, 16-byte cookie, then strings: command line, OS, architecture, entry assembly, runtime version.
        var rest = payload.Length >= 24 ? payload[24..] : default;
        var commandLine = ReadString(ref rest);
        ReadString(ref rest);
        ReadString(ref rest);
        ReadString(ref rest);
        return (commandLine, ReadString(ref rest));
    }

    private static byte[] Request(byte set, byte command)
    {
        var message = new byte[HeaderLength];
        MessageMagic.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), HeaderLength);
        message[16] = set;
        message[17] = command;
        return message;
    }

    /// <summary>A string: u32 count of UTF-16 units with the terminating zero, then the units.</summary>
    private static string ReadString(ref ReadOnlySpan<byte> rest)
    {
        if (rest.Length < 4)
            return "";
        var count = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        if (count > (uint)(rest.Length - 4) / 2)
        {
            rest = default;
            return "";
        }

        var text = Encoding.Unicode.GetString(rest.Slice(4, (int)count * 2)).TrimEnd('\0');
        rest = rest[(4 + ((int)count * 2))..];
        return text;
    }
}
