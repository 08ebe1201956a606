namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>What a recorded process is to the recording.</summary>
public enum ProcessRole
{
    /// <summary>The process whose runs are measured.</summary>
    Measured = 0,

    /// <summary>A process that the measured one (or the launched command) started; its runs count too.</summary>
    Descendant = 1,
}
