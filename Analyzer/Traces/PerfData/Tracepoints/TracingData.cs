using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.PerfData.Tracepoints;

/// <summary>
/// The description of tracepoints in a perf.data file (feature TRACING_DATA): copies of the kernel's own descriptions in tracefs.
/// </summary>
/// <remarks>
/// Format, the head of a trace.dat file of version 0.5 (Documentation/trace-cmd.dat.v6.5.txt of trace-cmd): bytes 23 8 68, "tracing",
/// version and zero; one byte 0 for little-endian; one byte size of a long; u32 page size; "header_page" and zero, u64 size, bytes;
/// "header_event" and zero, u64 size, bytes; u32 number of ftrace formats, each u64 size, bytes; u32 number of systems, each name and zero,
/// u32 number of formats, each u64 size, bytes; u32 size of kallsyms, bytes; u32 size of printk formats, bytes. Version 0.6 adds u64 size
/// of thread names, bytes.
/// </remarks>
public static class TracingData
{
    private static ReadOnlySpan<byte> Magic => [23, 8, 68, (byte)'t', (byte)'r', (byte)'a', (byte)'c', (byte)'i', (byte)'n', (byte)'g'];

    /// <summary>Writes the description of tracepoints.</summary>
    /// <param name="headerPage">Text of events/header_page in tracefs.</param>
    /// <param name="headerEvent">Text of events/header_event.</param>
    /// <param name="formats">System and text of events/SYSTEM/NAME/format of each tracepoint.</param>
    public static byte[] Write(string headerPage, string headerEvent, IReadOnlyList<(string System, string Format)> formats)
    {
        using var stream = new MemoryStream();
        stream.Write(Magic);
        Text("0.5");
        stream.WriteByte(0);
        stream.WriteByte(8);
        UInt32((uint)Environment.SystemPageSize);
        Text("header_page");
        Sized(headerPage);
        Text("header_event");
        Sized(headerEvent);
        UInt32(0);
        var systems = formats.GroupBy(format => format.System, StringComparer.Ordinal).ToList();
        UInt32((uint)systems.Count);
        foreach (var system in systems)
        {
            Text(system.Key);
            UInt32((uint)system.Count());
            foreach (var (_, format) in system)
                Sized(format);
        }

        UInt32(0);
        UInt32(0);
        return stream.ToArray();

        void Text(string text)
        {
            stream.Write(Encoding.UTF8.GetBytes(text));
            stream.WriteByte(0);
        }

        void UInt32(uint value)
        {
            Span<byte> bytes = stackalloc byte[4];
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
            stream.Write(bytes);
        }

        void Sized(string text)
        {
            Span<byte> bytes = stackalloc byte[8];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, (ulong)Encoding.UTF8.GetByteCount(text));
            stream.Write(bytes);
            stream.Write(Encoding.UTF8.GetBytes(text));
        }
    }

    /// <summary>Reads descriptions; if the bytes are damaged, those before the damage.</summary>
    public static IReadOnlyList<TracepointFormat> Read(ReadOnlySpan<byte> bytes)
    {
        var formats = new List<TracepointFormat>();
        if (!bytes.StartsWith(Magic))
            return formats;
        var cursor = new ByteCursor(bytes[Magic.Length..]);
        cursor.ZeroEndedText();
        cursor.Take(2 + 4);
        for (var header = 0; header < 2; header++)
        {
            cursor.ZeroEndedText();
            cursor.Take(cursor.UInt64());
        }

        var ftrace = cursor.UInt32();
        for (var index = 0u; index < ftrace && !cursor.Failed; index++)
            cursor.Take(cursor.UInt64());
        var systems = cursor.UInt32();
        for (var index = 0u; index < systems && !cursor.Failed; index++)
        {
            var system = cursor.ZeroEndedText();
            var count = cursor.UInt32();
            for (var number = 0u; number < count && !cursor.Failed; number++)
            {
                if (TracepointFormat.Parse(system, Encoding.UTF8.GetString(cursor.Take(cursor.UInt64()))) is { } format)
                    formats.Add(format);
            }
        }

        return formats;
    }
}
