using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// The manifest of the run marks as an EventSource writes it into an ETW session: event 0xFFFE in chunks, each after an envelope
/// (ManifestEnvelope of dotnet/runtime: format 1, u8 major and minor version, magic 0x5B, u16 chunks, u16 number). Tools decode the marks
/// with it.
/// </summary>
internal static class RunsManifest
{
    private const int EnvelopeBytes = 8;
    private const int MaxChunkBytes = 32 << 10;

    public static void Write(EtlWriter writer, long time, int processId)
    {
        if (EventSource.GenerateManifest(typeof(RunEventSource), RunEventSource.ProviderName) is not { } text)
            return;
        var manifest = Encoding.UTF8.GetBytes(text);
        var chunks = (manifest.Length + MaxChunkBytes - 1) / MaxChunkBytes;
        for (var number = 0; number < chunks; number++)
        {
            var chunk = manifest.AsSpan(number * MaxChunkBytes, Math.Min(MaxChunkBytes, manifest.Length - number * MaxChunkBytes));
            var payload = new byte[EnvelopeBytes + chunk.Length];
            payload[0] = payload[1] = 1;
            payload[3] = 0x5B;
            BinaryPrimitives.WriteUInt16LittleEndian(payload.AsSpan(4), (ushort)chunks);
            BinaryPrimitives.WriteUInt16LittleEndian(payload.AsSpan(6), (ushort)number);
            chunk.CopyTo(payload.AsSpan(EnvelopeBytes));
            writer.Write(
                new EtlEventFields
                {
                    HeaderType = EtlHeaderType.Event64,
                    Timestamp = time,
                    ProcessId = processId,
                    ThreadId = processId,
                    ProviderId = EventSource.GetGuid(typeof(RunEventSource)),
                    Id = 0xFFFE,
                    Version = 1,
                    Opcode = 0xFE,
                    Task = 0xFFFE,
                    Keywords = 0x00FF_FFFF_FFFF_FFFF,
                },
                payload
            );
        }
    }
}
