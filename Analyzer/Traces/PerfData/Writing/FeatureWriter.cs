using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Traces.PerfData.Writing;

/// <summary>
/// Writes the features of a perf.data file that are known at its creation; their layouts: perf.data-file-format.txt of the Linux kernel.
/// </summary>
internal static class FeatureWriter
{
    /// <summary>Returns the non-empty features by bit.</summary>
    public static SortedDictionary<int, byte[]> Write(
        PerfDataFeatures features,
        IReadOnlyList<PerfEvent> events,
        ReadOnlySpan<byte> tracingData
    )
    {
        var written = new SortedDictionary<int, byte[]>();
        if (tracingData.Length > 0)
            written[PerfDataFormat.TracingData] = tracingData.ToArray();
        AddText(PerfDataFormat.HostName, features.HostName);
        AddText(PerfDataFormat.OsRelease, features.KernelRelease);
        AddText(PerfDataFormat.Version, features.ToolVersion);
        AddText(PerfDataFormat.Arch, features.Architecture);
        AddText(PerfDataFormat.ProcessorDescription, features.ProcessorModel);
        if (features.ProcessorsPresent > 0)
            written[PerfDataFormat.Processors] = Numbers((uint)features.ProcessorsPresent, (uint)features.ProcessorsOnline);
        if (features.MemoryBytes > 0)
            written[PerfDataFormat.TotalMemory] = Longs(features.MemoryBytes / 1024);
        if (features.CommandLine.Count > 0)
            written[PerfDataFormat.CommandLine] = [.. Numbers((uint)features.CommandLine.Count), .. features.CommandLine.SelectMany(Text)];
        if (features.Clock is { } clock)
            written[PerfDataFormat.ClockData] = [.. Numbers(1, (uint)clock.ClockId), .. Longs(clock.WallClockNs, clock.ClockNs)];
        written[PerfDataFormat.EventDescription] = Events(events);
        return written;

        void AddText(int feature, string text)
        {
            if (text.Length > 0)
                written[feature] = Text(text);
        }
    }

    /// <summary>Describes compressed records: version 1, zstd (1), level, ratio unknown (0), maximum size of a record's content.</summary>
    public static byte[] Compression(int level, int maxBytes) => Numbers(1, 1, (uint)level, 0, (uint)maxBytes);

    public static byte[] Longs(params ReadOnlySpan<long> values)
    {
        var bytes = new byte[8 * values.Length];
        for (var index = 0; index < values.Length; index++)
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(8 * index), values[index]);
        return bytes;
    }

    private static byte[] Events(IReadOnlyList<PerfEvent> events)
    {
        var bytes = new List<byte>(Numbers((uint)events.Count, PerfEventSettings.Size));
        var settings = new byte[PerfEventSettings.Size];
        foreach (var perfEvent in events)
        {
            perfEvent.Settings.Write(settings);
            bytes.AddRange(settings);
            bytes.AddRange(Numbers((uint)perfEvent.Ids.Count));
            bytes.AddRange(Text(perfEvent.Name));
            bytes.AddRange(Longs([.. perfEvent.Ids.Select(id => (long)id)]));
        }

        return [.. bytes];
    }

    private static byte[] Numbers(params ReadOnlySpan<uint> values)
    {
        var bytes = new byte[4 * values.Length];
        for (var index = 0; index < values.Length; index++)
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4 * index), values[index]);
        return bytes;
    }

    /// <summary>u32 length with padding, then the text and at least one zero.</summary>
    private static byte[] Text(string text)
    {
        var length =
            (Encoding.UTF8.GetByteCount(text) + PerfDataFormat.TextAlignment) / PerfDataFormat.TextAlignment * PerfDataFormat.TextAlignment;
        var bytes = new byte[4 + length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, length);
        Encoding.UTF8.GetBytes(text, bytes.AsSpan(4));
        return bytes;
    }
}
