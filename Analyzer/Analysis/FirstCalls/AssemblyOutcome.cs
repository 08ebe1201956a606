namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>What became of an assembly in a first call.</summary>
public enum AssemblyOutcome
{
    /// <summary>Loaded from a file.</summary>
    Loaded = 0,

    /// <summary>Made in memory by the program.</summary>
    Generated = 1,

    /// <summary>Looked for and not found.</summary>
    NotFound = 2,
}
