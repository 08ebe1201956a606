namespace EtwSerializerProfiler.Etl;

/// <summary>What a written trace says of machine and session, and how it is laid out.</summary>
public sealed record EtlWriteOptions
{
    /// <summary>Bytes of a buffer in memory, header included; a record has to fit into one. 4 KB to 16 MB.</summary>
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

    /// <summary>Frequency of the performance counter in ticks a second.</summary>
    public long PerformanceFrequency { get; init; } = 10_000_000;

    /// <summary>Frequency of the processor in MHz.</summary>
    public int CpuMegahertz { get; init; }

    /// <summary>Resolution of the system's timer in units of 100 ns.</summary>
    public int TimerResolution { get; init; } = 156_250;

    /// <summary>Time of the start in ticks of the trace's clock.</summary>
    public long StartTicks { get; init; }

    /// <summary>The same moment in UTC.</summary>
    public DateTime StartTimeUtc { get; init; } = DateTime.UnixEpoch;

    /// <summary>Time of the machine's start.</summary>
    public DateTime? BootTimeUtc { get; init; }

    /// <summary>UTC = local time + bias, in minutes.</summary>
    public int TimeZoneBiasMinutes { get; init; }

    /// <summary>Name of the time zone, at most 31 characters.</summary>
    public string TimeZoneName { get; init; } = "";

    /// <summary>EVENT_TRACE_*_MODE bits; 1 is a sequential file. The bit of compressed files is added.</summary>
    public uint LogFileMode { get; init; } = 1;

    /// <summary>Name of the session.</summary>
    public string SessionName { get; init; } = "";

    /// <summary>Path of the file on the machine that made it.</summary>
    public string LogFileName { get; init; } = "";

    /// <summary>Process that the log file header names.</summary>
    public int ProcessId { get; init; }

    /// <summary>Thread that the log file header names.</summary>
    public int ThreadId { get; init; }

    /// <summary>Events that were lost, for the header.</summary>
    public long EventsLost { get; init; }

    /// <summary>Buffers that were lost, for the header.</summary>
    public long BuffersLost { get; init; }
}
