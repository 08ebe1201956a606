using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>A part of a script: what it does for a preset in a mode.</summary>
/// <param name="Preset">Value of the parameter PRESET.</param>
/// <param name="Mode">Value of the parameter MODE.</param>
/// <param name="Steps">The steps.</param>
internal sealed record ScriptVariant(string Preset, string Mode, EtwSteps Steps)
{
    /// <summary>Everything goes to files.</summary>
    public const string File = "file";

    /// <summary>The newest part stays in memory.</summary>
    public const string Memory = "memory";

    /// <summary>End of its labels.</summary>
    public string Label => $"{Preset}_{Mode}";
}
