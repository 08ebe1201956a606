using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>Part of a script for one preset and mode.</summary>
/// <param name="Preset">Value of the parameter PRESET.</param>
/// <param name="Mode">Value of the parameter MODE.</param>
/// <param name="Steps">The steps.</param>
internal sealed record ScriptVariant(string Preset, string Mode, EtwSteps Steps)
{
    /// <summary>All events go to files.</summary>
    public const string File = "file";

    /// <summary>The newest events stay in memory.</summary>
    public const string Memory = "memory";

    /// <summary>Suffix of its labels.</summary>
    public string Label => $"{Preset}_{Mode}";
}
