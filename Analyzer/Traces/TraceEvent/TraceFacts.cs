using System.Buffers.Binary;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>
/// Writes the facts about a trace in the record that BPerfEventSource's constructor reads: a log file header with a layout of its own.
/// </summary>
internal static class TraceFacts
{
    /// <summary>Start and end of the time zone, which BPerfEventSource overwrites in every log file header that it dispatches.</summary>
    private const int TimeZoneEnd = 64 + sizeof(int);

    /// <summary>Class of the log file header, EventTraceGuid of evntrace.h.</summary>
    private static readonly Guid s_eventTrace = new("68fdd900-4a3e-11d1-84f4-0000f80464e3");

    /// <summary>The latest valid time; a damaged header may have a later one.</summary>
    private static readonly long s_lastFileTime = DateTime.MaxValue.ToFileTimeUtc();

    /// <summary>Appends the record.</summary>
    public static void Write(EtlTraceHeader header, EventRecordBlock block)
    {
        Span<byte> payload = stackalloc byte[0x110];
        payload.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(payload[4..], header.OSVersion.Major | (header.OSVersion.Minor << 8));
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x0C..], header.Processors);
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x2C..], header.PointerSize);
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x30..], (int)Math.Min(header.EventsLost ?? 0, int.MaxValue));
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x34..], header.CpuMegahertz);
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x40..], header.TimeZoneBiasMinutes);
        BinaryPrimitives.WriteInt32LittleEndian(payload[0x44..], header.TimeZoneBiasMinutes);
        BinaryPrimitives.WriteInt64LittleEndian(payload[0xF8..], header.TicksPerSecond);
        BinaryPrimitives.WriteInt64LittleEndian(payload[0x100..], Math.Clamp(header.StartFileTime, 0, s_lastFileTime));
        block.AddClassic(s_eventTrace, 0, Math.Max(header.StartTicks, 1), payload); // 0 would mean that there is no such record
    }

    /// <summary>Whether an event is a log file header too short for what BPerfEventSource does with it.</summary>
    public static bool IsCutHeader(in EtlEvent item) =>
        item.Opcode == 0 && item.IsClassic && item.Payload.Length < TimeZoneEnd && item.ProviderId == s_eventTrace;
}
