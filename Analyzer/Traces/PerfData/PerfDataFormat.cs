namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Constants of the perf.data file, version 2. Source: tools/perf/Documentation/perf.data-file-format.txt of the Linux kernel.
/// </summary>
/// <remarks>
/// Header, 104 bytes: magic @0, u64 header size @8, u64 size of an entry of the attribute section @16, three sections (u64 offset, u64
/// size):
/// attributes @24, data @40, event types (unused) @56, then 256 feature bits @72. An attribute entry is a perf_event_attr and the section
/// of its ids. After the data section, each set feature bit has a section, in the order of the bits.
/// </remarks>
internal static class PerfDataFormat
{
    public const int HeaderSize = 104;
    public const int AttributesAt = 24;
    public const int DataAt = 40;
    public const int FeaturesAt = 72;
    public const int FeatureBytes = 32;
    public const int SectionSize = 16;

    /// <summary>Header size in a file written to a pipe, with only magic and size.</summary>
    public const ulong PipeHeaderSize = 16;

    // Feature bits (enum in tools/perf/util/header.h).
    public const int TracingData = 1;
    public const int BuildId = 2;
    public const int HostName = 3;
    public const int OsRelease = 4;
    public const int Version = 5;
    public const int Arch = 6;
    public const int Processors = 7;
    public const int ProcessorDescription = 8;
    public const int TotalMemory = 10;
    public const int CommandLine = 11;
    public const int EventDescription = 12;
    public const int SampleTime = 21;
    public const int Compressed = 27;
    public const int ClockData = 29;

    /// <summary>Texts in features are padded with zeros to a multiple of this.</summary>
    public const int TextAlignment = 64;

    public static ReadOnlySpan<byte> Magic => "PERFILE2"u8;

    /// <summary>The magic in the opposite byte order.</summary>
    public static ReadOnlySpan<byte> SwappedMagic => "2ELIFREP"u8;

    /// <summary>Version 1, written until 2009.</summary>
    public static ReadOnlySpan<byte> OldMagic => "PERFFILE"u8;
}
