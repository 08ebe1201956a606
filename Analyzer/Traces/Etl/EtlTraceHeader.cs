using System.Text;

namespace EtwSerializerProfiler.Etl;

/// <summary>The log file header (TRACE_LOGFILE_HEADER) of a file, with data on the machine and the session.</summary>
/// <remarks>A killed session leaves zeros for values written at its end; they read null here.</remarks>
public sealed record EtlTraceHeader
{
    /// <summary>Minimum payload with all fixed fields: 272 bytes for 32-bit pointers, 280 for 64-bit ones.</summary>
    internal const int FixedSize32 = 0x110,
        FixedSize64 = 0x118;

    /// <summary>Bytes of a buffer in memory; compressed ones are smaller in the file.</summary>
    public required int BufferSize { get; init; }

    /// <summary>Version of the operating system, with the build as third number.</summary>
    public required Version OSVersion { get; init; }

    /// <summary>Processors of the machine.</summary>
    public required int Processors { get; init; }

    /// <summary>Bytes of a pointer of the system, 4 or 8.</summary>
    public required int PointerSize { get; init; }

    /// <summary>Clock of the timestamps.</summary>
    public required EtlClock Clock { get; init; }

    /// <summary>Ticks of the trace's clock per second.</summary>
    public required long TicksPerSecond { get; init; }

    /// <summary>Frequency of the performance counter in ticks per second, whichever clock is used.</summary>
    public required long PerformanceFrequency { get; init; }

    /// <summary>Time of the start in ticks of the trace's clock.</summary>
    public required long StartTicks { get; init; }

    /// <summary>Time of the start as FILETIME (100 ns since 1601, UTC).</summary>
    public required long StartFileTime { get; init; }

    /// <summary>Time of the start.</summary>
    public DateTime StartTimeUtc => EtlTime.FromFileTime(StartFileTime) ?? DateTime.MinValue;

    /// <summary>Time of the end as FILETIME; null when the session was not closed.</summary>
    public required long? EndFileTime { get; init; }

    /// <summary>Time of the end; null when the session was not closed.</summary>
    public DateTime? EndTimeUtc => EndFileTime is { } end ? EtlTime.FromFileTime(end) : null;

    /// <summary>Boot time of the machine; null when missing.</summary>
    public required DateTime? BootTimeUtc { get; init; }

    /// <summary>Resolution of the system's timer in units of 100 ns, in which CPU times of events count.</summary>
    public required int TimerResolution { get; init; }

    /// <summary>Frequency of the processor in MHz.</summary>
    public required int CpuMegahertz { get; init; }

    /// <summary>Number of events that the session lost; null when it was not closed.</summary>
    public required long? EventsLost { get; init; }

    /// <summary>Number of buffers that the session lost; null when it was not closed.</summary>
    public required long? BuffersLost { get; init; }

    /// <summary>Number of buffers that the session wrote; null when it was not closed.</summary>
    public required long? BuffersWritten { get; init; }

    /// <summary>Number of buffers at the start.</summary>
    public required int StartBuffers { get; init; }

    /// <summary>Maximum size of the file in MB; 0 without a limit.</summary>
    public required int MaxFileMegabytes { get; init; }

    /// <summary>EVENT_TRACE_*_MODE bits of the session.</summary>
    public required uint LogFileMode { get; init; }

    /// <summary>Name of the session; empty if it has none.</summary>
    public required string SessionName { get; init; }

    /// <summary>Path of the file on the machine that wrote it; empty if it has none.</summary>
    public required string LogFileName { get; init; }

    /// <summary>Difference of UTC to local time in minutes: UTC = local time + bias.</summary>
    public required int TimeZoneBiasMinutes { get; init; }

    /// <summary>Name of the time zone in winter.</summary>
    public required string TimeZoneName { get; init; }

    /// <summary>Whether the session was closed, so that its end and its counts were written.</summary>
    public bool IsClosed => EndFileTime is not null;

    /// <summary>Whether the session overwrote its oldest buffers when the file was full (EVENT_TRACE_FILE_MODE_CIRCULAR).</summary>
    public bool IsCircular => (LogFileMode & 2) != 0;

    /// <summary>Names of the values missing because the session was not closed; empty for a closed one.</summary>
    public IReadOnlyList<string> MissingValues =>
        IsClosed ? [] : [nameof(EndTimeUtc), nameof(EventsLost), nameof(BuffersLost), nameof(BuffersWritten)];

    /// <summary>Reads the header from the payload of the file's first record.</summary>
    /// <returns>Null when the payload is too short or not such a header.</returns>
    internal static EtlTraceHeader? Read(ReadOnlySpan<byte> payload, long startTicks)
    {
        if (payload.Length < FixedSize32)
            return null;
        var pointerSize = EtlFormat.Int32(payload, 0x2C);
        var is64 = pointerSize == 8;
        if (pointerSize is not (4 or 8) || (is64 && payload.Length < FixedSize64))
            return null;
        var zone = is64 ? 0x48 : 0x40;
        var times = is64 ? 0xF8 : 0xF0;
        var names = payload[(is64 ? FixedSize64 : FixedSize32)..];
        var session = Text(names, out var sessionBytes);
        var clock = (EtlClock)(EtlFormat.UInt32(payload, times + 24) & 3);
        var frequency = EtlFormat.Int64(payload, times + 8);
        var megahertz = EtlFormat.Int32(payload, 0x34);
        var end = EtlFormat.Int64(payload, 0x10);
        var closed = end != 0;
        return new EtlTraceHeader
        {
            BufferSize = EtlFormat.Int32(payload, 0),
            OSVersion = new Version(payload[4], payload[5], (int)Math.Min(EtlFormat.UInt32(payload, 8), int.MaxValue)),
            Processors = EtlFormat.Int32(payload, 0x0C),
            PointerSize = pointerSize,
            Clock = clock,
            TicksPerSecond = clock switch
            {
                EtlClock.SystemTime => TimeSpan.TicksPerSecond,
                EtlClock.CycleCounter when megahertz > 0 => megahertz * 1_000_000L,
                _ when frequency > 0 => frequency,
                _ => TimeSpan.TicksPerSecond,
            },
            PerformanceFrequency = frequency,
            StartTicks = startTicks,
            StartFileTime = EtlFormat.Int64(payload, times + 16),
            EndFileTime = closed ? end : null,
            BootTimeUtc = EtlFormat.Int64(payload, times) is var boot and > 0 ? EtlTime.FromFileTime(boot) : null,
            TimerResolution = EtlFormat.Int32(payload, 0x18),
            CpuMegahertz = megahertz,
            EventsLost = closed ? EtlFormat.UInt32(payload, 0x30) : null,
            BuffersLost = closed ? EtlFormat.UInt32(payload, times + 28) : null,
            BuffersWritten = closed ? EtlFormat.UInt32(payload, 0x24) : null,
            StartBuffers = EtlFormat.Int32(payload, 0x28),
            MaxFileMegabytes = EtlFormat.Int32(payload, 0x1C),
            LogFileMode = EtlFormat.UInt32(payload, 0x20),
            SessionName = session,
            LogFileName = Text(names[sessionBytes..], out _),
            TimeZoneBiasMinutes = EtlFormat.Int32(payload, zone),
            TimeZoneName = Text(payload.Slice(zone + 4, 64), out _),
        };
    }

    /// <summary>UTF-16 up to a zero or the end of the bytes.</summary>
    private static string Text(ReadOnlySpan<byte> bytes, out int used)
    {
        var end = 0;
        while (end + 2 <= bytes.Length && (bytes[end] | bytes[end + 1]) != 0)
            end += 2;
        used = Math.Min(end + 2, bytes.Length);
        return Encoding.Unicode.GetString(bytes[..end]);
    }
}
