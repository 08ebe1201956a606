namespace EtwSerializerProfiler.Sessions.Dumps;

/// <summary>What a dump is taken on.</summary>
public enum DumpTriggerKind
{
    /// <summary>The throw of an exception.</summary>
    Exception = 0,

    /// <summary>A collection that paused the program for longer.</summary>
    GcPause = 1,

    /// <summary>More memory in use.</summary>
    Memory = 2,

    /// <summary>No progress for longer.</summary>
    Hang = 3,
}
