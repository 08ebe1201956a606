namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>Titles under which help shows the options of commands that have many.</summary>
internal static class HelpGroups
{
    /// <summary>Which events of what.</summary>
    public const string Recorded = "What is recorded";

    /// <summary>What the built-in suite measures.</summary>
    public const string Suite = "Suite";

    /// <summary>Sessions on Windows.</summary>
    public const string Etw = "ETW (Windows)";

    /// <summary>Dumps of the recorded process.</summary>
    public const string Dumps = "Dumps";

    /// <summary>Where the recording goes and what is printed of it.</summary>
    public const string Output = "Output";
}
