namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary>Shells with completion scripts.</summary>
public enum ShellKind
{
    /// <summary>GNU bash.</summary>
    Bash = 0,

    /// <summary>Z shell.</summary>
    Zsh = 1,

    /// <summary>fish.</summary>
    Fish = 2,

    /// <summary>PowerShell.</summary>
    Pwsh = 3,
}
