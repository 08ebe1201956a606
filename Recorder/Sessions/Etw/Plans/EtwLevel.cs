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

    /// <summary>Collections, exceptions, loads. The runtime's ordinary level.</summary>
    Informational = 4,

    /// <summary>Also allocation ticks, starts of compilations, waits, names of methods.</summary>
    Verbose = 5,
}
