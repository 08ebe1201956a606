namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Titles of the option groups in the help of commands with many options.</summary>
internal static class HelpGroups
{
    /// <summary>Which events to record.</summary>
    public const string Recorded = "What is recorded";

    /// <summary>What the built-in suite measures.</summary>
    public const string Suite = "Suite";

    /// <summary>Sessions on Windows.</summary>
    public const string Etw = "ETW (Windows)";

    /// <summary>Dumps of the recorded process.</summary>
    public const string Dumps = "Dumps";

    /// <summary>Where the recording goes and which results are printed.</summary>
    public const string Output = "Output";
}
