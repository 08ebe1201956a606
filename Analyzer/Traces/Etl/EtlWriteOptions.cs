namespace EtwSerializerProfiler.Etl;

/// <summary>Header values and layout of a trace to write.</summary>
public sealed record EtlWriteOptions
{
    /// <summary>Size of a buffer in memory, including its header, 4 KB to 16 MB; each record must fit into one.</summary>
    public int BufferSize { get; init; } = 64 << 10;

    /// <summary>Whether buffers are compressed (plain LZ77, as merged traces are).</summary>
    public bool Compress { get; init; }

    /// <summary>Processors of the machine.</summary>
    public int Processors { get; init; } = 1;

    /// <summary>Bytes of a pointer of the system, 4 or 8.</summary>
    public int PointerSize { get; init; } = 8;

    /// <summary>Version of the operating system: major, minor, build.</summary>
    public Version OSVersion { get; init; } = new(10, 0, 0);

    /// <summary>Clock of the timestamps.</summary>
    public EtlClock Clock { get; init; } = EtlClock.PerformanceCounter;

    /// <summary>Frequency of the performance counter in ticks per second.</summary>
    public long PerformanceFrequency { get; init; } = 10_000_000;

    /// <summary>Frequency of the processor in MHz.</summary>
    public int CpuMegahertz { get; init; }

    /// <summary>Resolution of the system's timer in units of 100 ns.</summary>
    public int TimerResolution { get; init; } = 156_250;

    /// <summary>Time of the start in ticks of the trace's clock.</summary>
    public long StartTicks { get; init; }

    /// <summary>Start time in UTC.</summary>
    public DateTime StartTimeUtc { get; init; } = DateTime.UnixEpoch;

    /// <summary>Boot time of the machine.</summary>
    public DateTime? BootTimeUtc { get; init; }

    /// <summary>UTC = local time + bias, in minutes.</summary>
    public int TimeZoneBiasMinutes { get; init; }

    /// <summary>Name of the time zone, at most 31 characters.</summary>
    public string TimeZoneName { get; init; } = "";

    /// <summary>EVENT_TRACE_*_MODE bits; 1 is a sequential file. The writer adds the bit for compressed files.</summary>
    public uint LogFileMode { get; init; } = 1;

    /// <summary>Name of the session.</summary>
    public string SessionName { get; init; } = "";

    /// <summary>Path of the file on the machine that wrote it.</summary>
    public string LogFileName { get; init; } = "";

    /// <summary>Process in the log file header.</summary>
    public int ProcessId { get; init; }

    /// <summary>Thread in the log file header.</summary>
    public int ThreadId { get; init; }

    /// <summary>Number of lost events, for the header.</summary>
    public long EventsLost { get; init; }

    /// <summary>Number of lost buffers, for the header.</summary>
    public long BuffersLost { get; init; }
}
