namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Whether events of first calls are recorded; values of <c>--startup</c>.</summary>
internal enum StartupChoice
{
    /// <summary>Where the built-in suite makes first calls.</summary>
    Auto = 0,

    /// <summary>Always.</summary>
    On = 1,

    /// <summary>Never.</summary>
    Off = 2,
}
