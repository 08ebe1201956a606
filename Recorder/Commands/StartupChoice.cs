namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Which events of first calls are recorded; values of <c>--startup</c>.</summary>
internal enum StartupChoice
{
    /// <summary>All events if the built-in suite makes first calls, otherwise none.</summary>
    Auto = 0,

    /// <summary>None.</summary>
    None = 1,

    /// <summary>Assembly binds; cost almost nothing.</summary>
    Assemblies = 2,

    /// <summary>Also type loads and precompiled methods, which lengthen first calls.</summary>
    All = 3,
}
