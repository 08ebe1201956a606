namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>Kinds of dump triggers.</summary>
public enum DumpTriggerKind
{
    /// <summary>The throw of an exception.</summary>
    Exception = 0,

    /// <summary>A GC pause longer than the limit.</summary>
    GcPause = 1,

    /// <summary>More resident memory than the limit.</summary>
    Memory = 2,

    /// <summary>No progress for longer than the limit.</summary>
    Hang = 3,
}
