namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>Kinds of events beside the samples of a profile.</summary>
public enum ProfileEventKind
{
    /// <summary>A run, from its begin to its end.</summary>
    Run = 0,

    /// <summary>A collection's pause: from the begin of the suspension to the restart of the program's threads.</summary>
    Pause = 1,

    /// <summary>A compilation, from its begin to the code's being ready.</summary>
    Compilation = 2,

    /// <summary>An exception, a moment.</summary>
    Exception = 3,
}
