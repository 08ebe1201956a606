namespace EtwSerializerProfiler.Etl;

/// <summary>Clock of a trace's timestamps (ReservedFlags of the log file header, the session's ClientContext).</summary>
public enum EtlClock
{
    /// <summary>The header names none; read as the performance counter, the sessions' default.</summary>
    Unspecified = 0,

    /// <summary>QueryPerformanceCounter; its frequency is in the header.</summary>
    PerformanceCounter = 1,

    /// <summary>System time: 100 ns since 1601 (FILETIME).</summary>
    SystemTime = 2,

    /// <summary>The processor's cycle counter; its frequency is the header's MHz.</summary>
    CycleCounter = 3,
}
