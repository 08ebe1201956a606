using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Etl.Writing;

/// <summary>Payload of the first record: TRACE_LOGFILE_HEADER and the two names.</summary>
internal static class LogFileHeaderPayload
{
    private const int CompressedMode = 0x0400_0000; // EVENT_TRACE_COMPRESSED_MODE

    /// <summary>Creates the payload; values written at the end are zero until the file is closed.</summary>
    public static byte[] Create(EtlWriteOptions options, long? endFileTime, long buffersWritten)
    {
        var is64 = options.PointerSize == 8;
        var zone = is64 ? 0x48 : 0x40;
        var times = is64 ? 0xF8 : 0xF0;
        var names = Encoding.Unicode.GetBytes(options.SessionName + "\0" + options.LogFileName + "\0");
        var fixedSize = is64 ? EtlTraceHeader.FixedSize64 : EtlTraceHeader.FixedSize32;
        var payload = new byte[fixedSize + names.Length];
        Int32(payload, 0, options.BufferSize);
        payload[4] = (byte)options.OSVersion.Major;
        payload[5] = (byte)options.OSVersion.Minor;
        payload[6] = 1;
        payload[7] = 5;
        Int32(payload, 8, Math.Max(0, options.OSVersion.Build));
        Int32(payload, 0x0C, options.Processors);
        Int64(payload, 0x10, endFileTime ?? 0);
        Int32(payload, 0x18, options.TimerResolution);
        Int32(payload, 0x20, (int)options.LogFileMode | (options.Compress ? CompressedMode : 0));
        Int32(payload, 0x24, endFileTime is null ? 0 : (int)buffersWritten);
        Int32(payload, 0x28, 1);
        Int32(payload, 0x2C, options.PointerSize);
        Int32(payload, 0x30, endFileTime is null ? 0 : (int)options.EventsLost);
        Int32(payload, 0x34, options.CpuMegahertz);
        Int32(payload, zone, options.TimeZoneBiasMinutes);
        Encoding.Unicode.GetBytes(options.TimeZoneName.AsSpan(0, Math.Min(31, options.TimeZoneName.Length)), payload.AsSpan(zone + 4));
        Int64(payload, times, options.BootTimeUtc?.ToFileTimeUtc() ?? 0);
        Int64(payload, times + 8, options.PerformanceFrequency);
        Int64(payload, times + 16, options.StartTimeUtc.ToFileTimeUtc());
        Int32(payload, times + 24, (int)options.Clock);
        Int32(payload, times + 28, endFileTime is null ? 0 : (int)options.BuffersLost);
        names.CopyTo(payload, fixedSize);
        return payload;
    }

    private static void Int32(byte[] bytes, int at, int value) => BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(at), value);

    private static void Int64(byte[] bytes, int at, long value) => BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(at), value);
}
