namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>What waits were taken from.</summary>
public enum WaitSource
{
    /// <summary>The measuring thread's switch-outs up to its wakings (or switch-ins): every wait there is, also those of the runtime and the kernel.</summary>
    Switches = 0,

    /// <summary>WaitHandle events of the runtime (.NET 9 and later): waits for handles, events, tasks and monitors only.</summary>
    Events = 1,
}
