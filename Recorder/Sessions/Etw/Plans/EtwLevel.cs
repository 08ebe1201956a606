namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Level of a provider in a session; the numbers are those of TRACE_LEVEL_* in evntrace.h.</summary>
public enum EtwLevel
{
    /// <summary>Abnormal ends.</summary>
    Critical = 1,

    /// <summary>Errors.</summary>
    Error = 2,

    /// <summary>Warnings.</summary>
    Warning = 3,

    /// <summary>GCs, exceptions, loads: the usual level of the runtime's provider.</summary>
    Informational = 4,

    /// <summary>Also allocation ticks, starts of compilations, waits, method names.</summary>
    Verbose = 5,
}
